import cluster from 'node:cluster';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { ProcessGroup } from '../../../src/supervise/processGroup.js';
import { eventually } from '../../support/eventually.js';
import { useFolder } from '../../support/folder.js';

/** A server process that does nothing. */
const program = `
process.on('message', ({ id }) => process.send({ kind: 'answer', id, answer: {} }));
process.on('SIGTERM', () => process.exit(0));
process.send({ kind: 'ready', port: 0 });
`;

/** Nobody asks here. */
const readPools = (): Promise<never> => Promise.reject(new Error('nobody asks'));

/** More than a system takes as one variable. */
const tooLarge = 'x'.repeat(4_000_000);

describe('a process group whose processes cannot be forked', () => {
  const folder = useFolder();
  let cwd: string;
  let logged: string;
  let environment: Record<string, string>;
  const log = pino({ level: 'info' }, { write: (line: string) => void (logged += line) });
  const newGroup = (): ProcessGroup => new ProcessGroup({ size: 2, environment: () => environment, readPools, log });
  /** Ends one of the group, whose place can't be taken. */
  const killOne = async (group: ProcessGroup): Promise<number> => {
    const { pid } = group.serving[0]!;
    process.kill(pid, 'SIGKILL');
    await eventually(() => logged.includes('could not be started'));
    return pid;
  };

  before(async () => {
    cwd = join(folder, 'cwd');
    await writeFile(join(folder, 'program.mjs'), program);
  });
  beforeEach(async () => {
    logged = '';
    environment = {};
    await mkdir(cwd, { recursive: true });
    cluster.setupPrimary({ exec: join(folder, 'program.mjs'), execArgv: [], args: [], cwd });
  });

  for (const [what, begin, end] of [
    // In a folder that is gone: an error event and no exit, as where processes or descriptors are at an end.
    ['told by an event', () => rm(cwd, { recursive: true }), () => mkdir(cwd)],
    // An environment that is too large: thrown, as out of memory is.
    ['thrown', () => void (environment = { tooLarge }), () => void (environment = {})],
  ] as const) {
    it(`fills its place again, without an unhandled rejection: ${what}`, async () => {
      const group = newGroup();
      await group.start();
      await begin();
      const pid = await killOne(group);
      await end();
      await eventually(() => group.serving.length === 2);
      expect(group.serving.map((child) => child.pid)).to.not.include(pid);
      expect(group.restarts).to.equal(1);
      expect(await group.stop(10_000)).to.equal(true);
    });

    it(`stops all the same: ${what}`, async () => {
      const group = newGroup();
      await group.start();
      await begin();
      await killOne(group);
      expect(await group.stop(10_000)).to.equal(true);
    });

    it(`says that it cannot start: ${what}`, async () => {
      await begin();
      const failure: unknown = await newGroup()
        .start()
        .catch((error: unknown) => error);
      expect(String(failure)).to.contain('did not start; the reason is above');
      expect(logged)
        .to.match(/could not be started/)
        .and.to.match(/ENOENT|E2BIG/);
    });
  }
});

/** As one that waits for MySQL: it can be ended, and does not serve. */
const starting = `
process.on('message', () => undefined);
`;

describe('a process group that is stopped', () => {
  const folder = useFolder();
  const log = pino({ level: 'silent' });
  const use = (file: string): void =>
    cluster.setupPrimary({ exec: join(folder, file), execArgv: [], args: [], cwd: folder });

  before(async () => {
    await writeFile(join(folder, 'program.mjs'), program);
    await writeFile(join(folder, 'starting.mjs'), starting);
    await writeFile(join(folder, 'careless.mjs'), program.replace('process.exit(0)', 'process.exit(1)'));
  });

  it('does not count one that is still starting as lost', async () => {
    let forks = 0;
    const group = new ProcessGroup({ size: 2, environment: () => ({ FORK: String(++forks) }), readPools, log });
    use('program.mjs');
    await group.start();
    use('starting.mjs');
    process.kill(group.serving[0]!.pid, 'SIGKILL');
    await eventually(() => forks === 3);
    expect(await group.stop(10_000)).to.equal(true);
  });

  it('counts one that served and did not end in order', async () => {
    const group = new ProcessGroup({ size: 2, environment: () => ({}), readPools, log });
    use('careless.mjs');
    await group.start();
    expect(await group.stop(10_000)).to.equal(false);
  });
});
