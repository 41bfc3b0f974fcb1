import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { useFreshFolder } from '../support/folder.js';

const run = promisify(execFile);

describe('make', () => {
  const project = useFreshFolder();
  beforeEach(() => {
    mkdirSync(join(project, 'tool'));
    const named = (name: string): object => ({ name, version: '1.0.0', devDependencies: { tool: 'file:tool' } });
    const files = {
      'package.json': named('project'),
      'tool/package.json': { name: 'tool', version: '1.0.0' },
      'package-lock.json': {
        ...named('project'),
        lockfileVersion: 3,
        packages: {
          '': named('project'),
          'node_modules/tool': { resolved: 'tool', link: true },
          tool: { version: '1.0.0', dev: true },
        },
      },
    };
    for (const [file, content] of Object.entries(files)) writeFileSync(join(project, file), JSON.stringify(content));
  });

  it('tests with the Node that runs, unless NODE names a major version', async () => {
    const program = join(projectRoot, 'dist', 'test', 'support', 'nodeFolder.js');
    // npm sets it to the path of its own.
    for (const NODE of ['', process.execPath]) {
      const { stdout } = await run(process.execPath, [program], { env: { ...process.env, NODE } });
      expect(stdout).to.equal(dirname(process.execPath));
    }
  });

  for (const setting of ['NODE_ENV=production', 'npm_config_omit=dev']) {
    it(`installs the compiler too where ${setting} would have npm leave it out`, async () => {
      const [name = '', value] = setting.split('=');
      const makefile = join(projectRoot, 'Makefile');
      const env = { ...process.env, npm_config_offline: 'true', [name]: value };
      await run('make', ['-C', project, '-f', makefile, 'node_modules/.package-lock.json'], { env });
      expect(existsSync(join(project, 'node_modules', 'tool', 'package.json'))).to.equal(true);
    });
  }
});

describe('what make would do', () => {
  // Without what was asked of the run that this test is in, such as `FILES=`.
  const { FILES: _files, MAKEFLAGS: _flags, MAKEOVERRIDES: _overrides, ...env } = process.env;
  const of = async (...targets: readonly string[]): Promise<string> =>
    (await run('make', ['-n', ...targets], { cwd: projectRoot, env })).stdout;

  it('can be said of each target', async () => {
    const targets = readFileSync(join(projectRoot, 'Makefile'), 'utf8').matchAll(/^([a-z][a-z-]*):.*## /gm);
    const names = [...targets].map(([, name = '']) => name);
    expect(names).to.include.members(['test', 'test-long', 'fuzz', 'lint']);
    expect(await of(...names)).to.include('run.js -- test/faults/faults.test.ts');
  });

  it('in the long form, is each kind of test that has one', async () => {
    const long = (await of('test-long')).match(/test\/\S+\.test\.ts/g) ?? [];
    expect(long).to.include.members([
      'test/unit/engine/redact/redact.test.ts',
      'test/unit/analysis/dmn/properties.test.ts',
      'test/browser/docs.test.ts',
      'test/browser/console.access.test.ts',
    ]);
  });
});
