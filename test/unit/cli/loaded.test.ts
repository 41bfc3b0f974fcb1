import { join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import type { CommandGroup } from '../../../src/cli/command.js';

const below = 'dist/src/cli';

/** Of all files of the command line, what each imports. */
function readInputs(): Metafile['inputs'] {
  const { metafile } = buildSync({
    absWorkingDir: projectRoot,
    entryPoints: [`${below}/main.js`],
    outdir: 'none',
    ...{ bundle: true, splitting: true, write: false, metafile: true },
    ...{ format: 'esm', platform: 'node', packages: 'external', logLevel: 'error' },
  });
  return metafile.inputs;
}

/** All files and packages that are there before the file does anything, and not what is imported on demand. */
function loadedBy(file: string, inputs: Metafile['inputs'], loaded = new Set<string>()): Set<string> {
  loaded.add(file);
  for (const { path, kind } of inputs[file]?.imports ?? [])
    if (kind === 'import-statement' && !loaded.has(path)) loadedBy(path, inputs, loaded);
  return loaded;
}

/** What takes longer to load than all that a command by HTTP needs. */
const heavy = /^(knex|mysql2|koa|koa-body|ajv|typebox|luxon|piscina)(\/|$)|^dist\/workers\/engine\/index\.js$/;

describe('the command line: what it loads', () => {
  const inputs = readInputs();
  const onDemand = inputs[`${below}/program.js`]?.imports.filter(({ kind }) => kind === 'dynamic-import') ?? [];
  /** They read models. */
  const withEngine = [`${below}/commands/folder.js`];

  it('is nothing of the server, of its database or of the engine before it knows its command', () => {
    expect([...loadedBy(`${below}/main.js`, inputs)].filter((path) => heavy.test(path))).to.deep.equal([]);
  });

  it('is nothing of them for a command by HTTP, whatever others of its group need, but the engine for folders', async () => {
    expect(onDemand).to.have.length.above(20);
    let byHttp = 0;
    for (const { path } of onDemand) {
      const groups = Object.values((await import(join(projectRoot, path))) as Record<string, CommandGroup>);
      if (groups.every(({ commands }) => commands.every(({ where }) => where === 'here'))) continue;
      byHttp++;
      const found = [...loadedBy(path, inputs)].filter((each) => heavy.test(each));
      if (withEngine.includes(path)) expect(found).to.not.include.members(['knex', 'koa']);
      else expect(found, path).to.deep.equal([]);
    }
    expect(byHttp).to.be.above(15);
  });
});
