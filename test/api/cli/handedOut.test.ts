import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { version } from '../../../src/version.js';
import { useApp } from '../../support/app.js';
import { installedBelow, withoutProfile } from '../../support/remote.js';

/** A function of an author's, in TypeScript, with a package: what needs most of the engine's own files. */
const typed = {
  nodes: [
    { id: 'in', type: 'inputNode', name: 'In' },
    {
      id: 'f',
      type: 'functionNode',
      name: 'Twice',
      content: {
        source: `import { z } from 'zod';
          export const handler = (input: { x: number }) => ({ y: z.number().parse(input.x) * 2 });`,
      },
    },
    { id: 'out', type: 'outputNode', name: 'Out' },
  ],
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'f' },
    { id: 'b', sourceId: 'f', targetId: 'out' },
  ],
  tests: [{ input: { x: 21 }, output: { y: 42 } }],
};

/** That it signs in, executes and so on is shown by the samples of /docs, which install it as their reader does. */
describe('the command line that a server hands out', function () {
  this.timeout(600_000);
  const app = useApp();
  const folder = mkdtempSync(join(tmpdir(), 'verdict-handed-out-'));
  const environment = { ...installedBelow(folder), ...withoutProfile };
  const verdict = (...args: readonly string[]) => spawnSync('verdict', args, { env: environment, encoding: 'utf8' });

  // The server is in this process: nothing may hold it up while npm asks.
  before(async () => {
    const install = ['install', '--global', `${app.baseUrl}/docs/verdict.tgz`];
    await promisify(execFile)('npm', install, { env: { HOME: folder, ...environment } });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("is of the server's version, and has every command without a package beside it", () => {
    expect(verdict('--version').stdout.trim()).to.equal(version);
    const help = verdict('--help');
    expect(help.status, help.stderr).to.equal(0);
    expect(help.stdout).to.include('login').and.include('measures');
  });

  it('tests models of a folder, functions among them', () => {
    const models = join(folder, 'models');
    mkdirSync(models);
    writeFileSync(join(models, 'twice.json'), JSON.stringify(typed));
    const { status, stdout, stderr } = verdict('decision', 'test', models);
    expect(status, stdout + stderr).to.equal(0);
    expect(stdout).to.include('1 passed, 0 failed');
  });

  it('tells who has nothing but it to sign in, and of no command of a checkout', () => {
    for (const [args, exit] of [
      [['decision', 'list'], 4],
      [['client', 'list'], 1],
    ] as const) {
      const { status, stderr } = verdict(...args);
      expect(status, stderr).to.equal(exit);
      expect(stderr).to.include('verdict login').and.not.include('make run');
    }
  });
});
