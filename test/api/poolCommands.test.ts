import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import type { CapacityStatus } from '../../src/admin/administered.js';
import { poolText } from '../../src/cli/pool/poolText.js';
import { useApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { needs } from '../support/environment.js';
import { useFolder } from '../support/folder.js';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

describe('make pool-status and pool-resize', () => {
  const app = useApp({ RUN_TIMEOUT_MS: '5000' });
  const folder = useFolder();

  /** As make executes them, piped, in a folder where nothing was started. */
  const execute = (program: 'poolStatus' | 'poolResize', variables: Record<string, string> = {}): Promise<Ended> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(projectRoot, 'dist/src/cli/pool', `${program}.js`)], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', ADMIN_PORT: new URL(app.adminUrl).port, ...variables },
      });
      let out = '';
      let error = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
      child.on('close', (code) => resolve({ code, out, error }));
    });

  it('shows the pool once into a pipe', async () => {
    const { code, out, error } = await execute('poolStatus');
    expect({ code, error }).to.deep.equal({ code: 0, error: '' });
    expect(out).to.match(/process.+threads.+busy.+waiting.+wait p50.+run p50.+memory/);
    expect(out).to.match(/since its start.+served.+rejected.+timed out.+threads replaced/);
    expect(out)
      .to.match(/server.+ MB/)
      .and.to.contain('threads 1 to 2, queue 1000, time limit 5000 ms a run');
    expect(out).to.not.contain('\u001b');
  });

  it('renews itself on a terminal, over what was there', async function () {
    needs(this, 'script', spawnSync('script', ['--version']).error === undefined);
    const program = join(projectRoot, 'dist/src/cli/pool/poolStatus.js');
    const terminal = spawn('script', ['-qec', `exec ${process.execPath} ${program}`, '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ADMIN_PORT: new URL(app.adminUrl).port },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    terminal.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    const tables = (): string[] => shown.split('\u001b[H').slice(1);
    await eventually(() => tables().length >= 3);
    // What Ctrl-C sends.
    terminal.stdin.write('\u0003');
    const code = await new Promise((resolve) => terminal.once('exit', resolve));
    expect(code).to.equal(0);
    expect(tables()).to.have.length.at.least(3);
    expect(tables()[1]).to.match(
      /Ctrl-C ends.*\u001b\[K\r\n[^]+process.+threads[^]+server[^]+threads 1 to 2[^]+\u001b\[J/,
    );
  });

  it('resizes, and shows what came of it', async () => {
    const { code, out } = await execute('poolResize', { MIN: '2', MAX: '3', QUEUE: '77', TIMEOUT_MS: '900' });
    expect(code).to.equal(0);
    expect(out).to.contain('threads 2 to 3, queue 77, time limit 900 ms a run');
    expect((await execute('poolStatus')).out).to.contain('threads 2 to 3, queue 77, time limit 900 ms a run');
  });

  it('says what is wrong, by the names that make knows, and what to do', async () => {
    const nothing = await execute('poolResize');
    expect(nothing).to.deep.include({ code: 1, out: '' });
    expect(nothing.error).to.contain('make pool-resize MIN=1 MAX=4');
    const refused = async (variables: Record<string, string>): Promise<string> => {
      const { code, out, error } = await execute('poolResize', variables);
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      return error;
    };
    expect(await refused({ MIN: 'many' })).to.equal('MIN must be a whole number.\n');
    expect(await refused({ MIN: '9', MAX: '3' })).to.equal('MIN must not be above MAX (3).\n');
    expect(await refused({ MAX: '1' })).to.equal('MAX must not be below MIN (2).\n');
    expect(await refused({ MAX: '0', QUEUE: '9999999' })).to.equal('MAX must be >= 1.\nQUEUE must be <= 1000000.\n');
  });

  const whatToDo = 'Start one with `make run`, or name the admin port of one that runs: ADMIN_PORT=3001\n';

  it('says so where nothing answers', async () => {
    expect(await execute('poolStatus', { ADMIN_PORT: '9' })).to.deep.equal({
      code: 1,
      out: '',
      error: `Nothing answers at http://127.0.0.1:9. ${whatToDo}`,
    });
  });

  it('says so where something else answers, as the main port does', async () => {
    const { port } = new URL(app.baseUrl);
    const error = `http://127.0.0.1:${port} is not the admin port of a server. ${whatToDo}`;
    expect(await execute('poolStatus', { ADMIN_PORT: port })).to.deep.equal({ code: 1, out: '', error });
  });

  it('ends with a message where a connection is closed without an answer', async () => {
    const silent = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const ended = await execute('poolStatus', { ADMIN_PORT: String(port) });
    silent.close();
    expect(ended).to.deep.equal({
      code: 1,
      out: '',
      error: `Nothing answers at http://127.0.0.1:${port}. ${whatToDo}`,
    });
  });
});

describe('the text of a pool', () => {
  const status = (of: Partial<CapacityStatus> = {}): CapacityStatus => ({
    ...{ minThreads: 1, maxThreads: 16, maxQueue: 1000, runTimeoutMs: 5000 },
    ...{ threads: 16, busy: 16, idle: 0, waiting: 1000 },
    ...{ served: 123456789, rejected: 98765432, timedOut: 99999, restarts: 9999 },
    ...{ waitMs: { p50: 1234.5, p99: 4567.8 }, runMs: { p50: 99.95, p99: 4999.9 } },
    memory: { rss: 12_345 * 2 ** 20, heapUsed: 0, external: 0 },
    ...{
      bytesInFlight: 254 * 2 ** 20,
      maxBytesInFlight: 65_536 * 2 ** 20,
      bytesRefused: 123456789,
      bytesHeldAfterEnd: 0,
    },
    ...of,
  });
  const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

  it('fits 80 columns, whatever it says', () => {
    const processes = [4194304, 4194303].map((pid) => ({ ...status(), pid }));
    expect(widest(poolText(status()))).to.be.at.most(80);
    expect(widest(poolText({ ...status(), processes }))).to.be.at.most(80);
  });

  it('has a row for each process and one for all, and says of the limits whose they are', () => {
    const processes = [11, 12].map((pid) => ({ ...status(), pid }));
    const lines = poolText({ ...status({ threads: 32 }), processes }).split('\n');
    expect(lines.filter((line) => /^│ (11|12|all) /.test(line))).to.have.length(9);
    expect(lines.at(-1)).to.equal('threads 1 to 16, queue 1000, time limit 5000 ms a run, for each process');
  });

  it('says times as precisely as one reads them', () => {
    const shown = poolText(status({ waitMs: { p50: 0.0135, p99: 0.0905 }, runMs: { p50: 12.34, p99: 123.4 } }));
    expect(shown).to.contain('0.01/0.09 ms').and.to.contain('12.3/123 ms');
  });
});
