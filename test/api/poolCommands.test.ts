import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { bootApp, type TestApp } from '../support/app.js';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

describe('make pool-status and pool-resize', () => {
  let app: TestApp;
  before(async () => {
    app = await bootApp();
  });
  after(() => app.stop());

  /** As make executes them, piped, in a folder where nothing was started. */
  const execute = (program: 'poolStatus' | 'poolResize', variables: Record<string, string> = {}): Promise<Ended> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(projectRoot, 'dist/src/admin/terminal', `${program}.js`)], {
        cwd: mkdtempSync(join(tmpdir(), 'verdict-pool-')),
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
    expect(out).to.match(/process.+threads.+busy.+waiting.+rejected.+restarts.+memory/);
    expect(out)
      .to.match(/server.+ MB/)
      .and.to.contain('threads 1 to 2, queue 1000, time limit 5000 ms a run');
    expect(out).to.not.contain('\u001b');
  });

  it('renews itself on a terminal, over what was there', async function () {
    if (spawnSync('script', ['--version']).error !== undefined) this.skip();
    const program = join(projectRoot, 'dist/src/admin/terminal/poolStatus.js');
    const terminal = spawn('script', ['-qec', `exec ${process.execPath} ${program}`, '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ADMIN_PORT: new URL(app.adminUrl).port },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    terminal.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    const tables = (): string[] => shown.split('\u001b[H').slice(1);
    for (let wait = 0; wait < 500 && tables().length < 3; wait++) await sleep(20);
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

  it('says what is wrong', async () => {
    const nothing = await execute('poolResize');
    expect(nothing).to.deep.include({ code: 1, out: '' });
    expect(nothing.error).to.contain('make pool-resize MIN=1 MAX=4');
    expect((await execute('poolResize', { MIN: 'many' })).error).to.equal('MIN must be a whole number.\n');
    expect((await execute('poolResize', { MIN: '9', MAX: '3' })).error).to.contain('minThreads must not be above');
    expect(await execute('poolStatus', { ADMIN_PORT: '9' })).to.deep.equal({
      code: 1,
      out: '',
      error: 'Nothing answers at http://127.0.0.1:9. Is the server running, and ADMIN_PORT its admin port?\n',
    });
  });
});
