import { execFile } from 'node:child_process';
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { call } from '../support/http.js';
import { waiting } from '../support/models.js';
import { startServer } from '../support/process.js';
import { connect, exchange } from '../support/raw.js';
import { buildScene, logicHeaders } from '../support/scene.js';
import { eventually } from '../support/eventually.js';
import { longTimeouts } from '../support/settings.js';
import { isLong } from '../support/environment.js';

describe('a drain', () => {
  it('is not held up by who says nothing, half a request, or a byte now and then, at either port, nor by who reads no answer, and ends with 0', async () => {
    // The run takes longer than a connection is given to say what it wants.
    const settings = { ...longTimeouts, RUN_TIMEOUT_MS: '4000', SHUTDOWN_TIMEOUT_MS: '20000' };
    const server = await startServer(settings);
    const scene = await buildScene(server);
    const port = Number(new URL(server.baseUrl).port);
    const decisionId = await scene.decision('waiting.json', waiting());
    const path = `/logic/decisions/${decisionId}/evaluations`;
    const body = JSON.stringify({ version: 1, fact: {} });
    const headers = Object.entries(logicHeaders(scene)).map(([name, value]) => `${name}: ${value}\r\n`);
    const head =
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      `${headers.join('')}Content-Length: ${body.length}\r\n`;
    const running = exchange({ port, pieces: [`${head}\r\n${body}`], answers: 1, withinMs: 30_000 });
    // With half a request behind them: otherwise Node takes the connection for idle.
    const unread = `${'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200)}GET /`;
    const said = ['', head, `${head}\r\n${body.slice(1)}`, unread];
    const sockets = await Promise.all(said.map(() => connect(port)));
    sockets.forEach((socket, at) => socket.on('error', () => undefined).write(said[at]!));
    const slow = await Promise.all([server.baseUrl, server.adminUrl].map((url) => connect(Number(new URL(url).port))));
    const bytes = slow.map((socket) => {
      socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      return setInterval(() => socket.write('x'), 200);
    });
    await eventually(async () => ((await call(`${server.adminUrl}/pool`)).body as { busy: number }).busy === 1);
    expect(await server.stop(), 'the exit code').to.equal(0);
    bytes.forEach(clearInterval);
    const { answers } = await running;
    for (const socket of [...sockets, ...slow]) socket.destroy();
    expect(
      answers.map(({ status }) => status),
      'the request in flight',
    ).to.deep.equal([504]);
  });

  for (const round of Array.from({ length: isLong ? 20 : 1 }, (_, at) => at + 1)) {
    it(`resets none of 16 clients that keep their connections busy, and tells each to leave (${round})`, async () => {
      const server = await startServer({ ...longTimeouts, SHUTDOWN_NOTICE_MS: '1000' });
      const clients = Array.from({ length: 16 }, () => busyClient(server.baseUrl));
      await eventually(() => Promise.resolve(clients.every(({ answers }) => answers.length > 3)));
      expect(await server.stop(), 'the exit code').to.equal(0);
      const ends = await Promise.all(clients.map(({ end }) => end));
      // The next connection finds nobody who listens: that is no request that was begun and lost.
      expect(ends).to.deep.equal(clients.map(() => 'ECONNREFUSED'));
      for (const { answers } of clients) expect(answers.at(-1)).to.equal('close');
    });
  }

  it('ends a process of which a thread is in native code, that nothing but its own end would stop', async () => {
    const program = fileURLToPath(new URL('../support/stuckThread.js', import.meta.url));
    const ended = await promisify(execFile)(process.execPath, [program], {
      timeout: 50_000,
      killSignal: 'SIGABRT',
    }).catch((error: unknown) => error);
    expect(ended).to.include({ signal: 'SIGKILL', stdout: 'timeout false\n' });
  });
});

/** Asks again and again over a connection that it keeps; what answers said of it, and with which error the last request ended. */
function busyClient(url: string): {
  readonly answers: (string | undefined)[];
  readonly end: Promise<string | undefined>;
} {
  const answers: (string | undefined)[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const end = new Promise<string | undefined>((resolve) => {
    const ask = (): void => {
      get(url, { agent }, (response) => {
        answers.push(response.headers.connection);
        response.resume().once('end', () => setImmediate(ask));
      }).once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    };
    ask();
  });
  return { answers, end: end.finally(() => agent.destroy()) };
}
