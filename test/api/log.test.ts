import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { eventually } from '../support/eventually.js';
import { call } from '../support/http.js';
import { expressing } from '../support/models.js';
import { useServer } from '../support/process.js';
import { exchange } from '../support/raw.js';
import { useScene } from '../support/scene.js';
import { longTimeouts, testEnvironment } from '../support/settings.js';
import { needs } from '../support/environment.js';

const main = join(projectRoot, 'dist/server/main.js');

interface Line extends Readonly<Record<string, unknown>> {
  readonly requestId: string;
}

describe('the log', () => {
  const server = useServer(longTimeouts);
  const scene = useScene(server);
  let path: string;
  before(async () => {
    const environmentId = await scene.environment();
    await scene.variable(environmentId, 'KEY', 'hunter2-variable', true);
    ({ path } = await scene.deployed('log.json', expressing({ y: 'x + 1', key: '$env.KEY' }), environmentId));
  });

  /** Lines are written together, after a moment or some kilobytes; the end of the server writes the rest. */
  const linesOf = (requestId: string): Promise<Line[]> =>
    eventually(async () => {
      await call(`${server.baseUrl}/openapi.json`);
      const lines = server.log().split('\n').slice(0, -1);
      const found = lines.map((line) => JSON.parse(line) as Line).filter((line) => line.requestId === requestId);
      return found.length > 0 && found;
    });

  it('has a line for what was refused before the app, and its answer has a request id', async () => {
    const { answers } = await exchange({
      port: Number(new URL(server.baseUrl).port),
      pieces: ['GET / HTTP/1.1\r\n\r\n'],
    });
    const requestId = answers[0]?.headers['x-request-id'] ?? '';
    expect(requestId).to.match(/^[0-9a-f-]{36}$/);
    const lines = await linesOf(requestId);
    expect(lines.map(({ status, reason, msg }) => ({ status, reason, msg }))).to.deep.equal([
      { status: 400, reason: 'headers', msg: 'refused' },
    ]);
  });

  it('has one JSON line for a request: who, where, what became of it, and how long it took', async () => {
    const requestId = randomUUID();
    const sent = performance.now();
    const answer = await scene.caller.post(`${path}?`, { fact: { x: 1 } }, { 'X-Request-Id': requestId });
    expect(answer.status, answer.text).to.equal(201);
    const [line, ...others] = await linesOf(requestId);
    const tookMs = performance.now() - sent;
    expect(others).to.deep.equal([]);
    const { ms, time, ...rest } = line!;
    expect(rest).to.deep.equal({
      level: 30,
      requestId,
      method: 'POST',
      path,
      status: 201,
      workspaceId: scene.workspaceId,
      principal: `client:${scene.client.id}`,
      msg: 'request',
    });
    expect(ms).to.be.a('number').within(0, tookMs);
    expect(new Date(String(time)).toISOString()).to.equal(time);
  });

  it('names the problem of a refused request, and nothing that the client sent', async () => {
    const refused = randomUUID();
    await call(`${server.baseUrl}${path}?token=hunter2-query`, {
      method: 'POST',
      headers: { 'X-Request-Id': refused, Authorization: 'Bearer hunter2-bearer', Cookie: 'hunter2-cookie' },
      body: { fact: { password: 'hunter2-fact' } },
    });
    const [line] = await linesOf(refused);
    expect(line).to.deep.include({ level: 30, status: 401, code: 'unauthorized', path });
    expect(line).to.not.have.property('principal');
  });

  it('holds no secret: of clients, of environments, of the service', async () => {
    const basic = Buffer.from(`${scene.client.id}:hunter2-basic`).toString('base64');
    await call(`${server.baseUrl}/core/oauth2/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_secret=hunter2-form',
    });
    const last = randomUUID();
    await scene.caller.post(path, { fact: { x: 'hunter2-fault' } }, { 'X-Request-Id': last });
    await linesOf(last);
    const { DATABASE_URL, REDIS_URL, ENCRYPTION_KEY } = testEnvironment();
    const passwords = [DATABASE_URL, REDIS_URL].map((url) => new URL(url!).password).filter((text) => text !== '');
    for (const secret of ['hunter2', basic, scene.token, scene.client.secret, ENCRYPTION_KEY!, ...passwords])
      expect(server.log()).to.not.contain(secret);
  });

  it('keeps no server process that nobody reads any more from ending, once its primary is dead', async () => {
    const primary = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH ?? '', ...testEnvironment(), HTTP_PROCESSES: '2' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    await new Promise((resolve) => primary.once('message', resolve));
    const servers = readFileSync(`/proc/${primary.pid}/task/${primary.pid}/children`, 'utf8').trim().split(' ');
    expect(servers).to.have.length(2);
    primary.stdout?.destroy();
    primary.kill('SIGKILL');
    const left = (): string[] => servers.filter((pid) => existsSync(`/proc/${pid}`));
    await eventually(() => left().length === 0).catch(() => undefined);
    const hung = left();
    for (const pid of hung) process.kill(Number(pid), 'SIGKILL');
    expect(hung).to.deep.equal([]);
  });

  for (const HTTP_PROCESSES of ['1', '2']) {
    it(`says that a server is ready where it is, and else that it listens (${HTTP_PROCESSES} processes)`, async () => {
      const messagesOf = async (environment: Record<string, string>): Promise<string[]> => {
        const child = spawn(process.execPath, [main], {
          env: { PATH: process.env.PATH ?? '', ...testEnvironment(), HTTP_PROCESSES, ...environment },
          stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        });
        let log = '';
        child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
        await new Promise((resolve) => child.once('message', resolve));
        child.kill('SIGTERM');
        await new Promise((resolve) => child.once('close', resolve));
        return log.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { msg: string }).msg]));
      };
      expect(await messagesOf({})).to.include('ready');
      const away = await messagesOf({ DATABASE_URL: 'mysql://verdict@127.0.0.1:1/verdict' });
      expect(away)
        .to.include('listening, and not ready: GET /readyz of the admin port says why')
        .and.not.include('ready');
    });
  }

  it('is for people on a terminal', async function () {
    needs(this, 'script', spawnSync('script', ['--version']).error === undefined);
    const terminal = spawn('script', ['-qec', `${process.execPath} ${main}`, '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...testEnvironment() },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    terminal.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    await eventually(() => shown.includes('ready'));
    // What Ctrl-C sends.
    terminal.stdin.write('\u0003');
    await new Promise((resolve) => terminal.once('exit', resolve));
    expect(shown).to.match(/\[\d\d:\d\d:\d\d\.\d{3}\].*INFO.*ready/);
    expect(shown).to.not.contain('"level"');
  });
});

describe('what is said when it cannot start', () => {
  const said = (file: string, variables: Record<string, string>): string => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(projectRoot, 'dist', file)], {
      env: { PATH: process.env.PATH ?? '', ...testEnvironment(), ...variables },
      encoding: 'utf8',
      timeout: 100_000,
    });
    expect(status).to.equal(1);
    return stdout + stderr;
  };

  it('names the variables and shows none of their values', () => {
    const text = said('server/main.js', {
      DATABASE_URL: 'postgres://u:hunter2@h/db',
      REDIS_URL: 'http://:hunter2@h',
      ENCRYPTION_KEY: 'hunter2',
      SMTP_URL: 'hunter2',
      OTEL_EXPORTER_OTLP_HEADERS: 'hunter2',
    });
    for (const variable of ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY', 'SMTP_URL', 'OTEL_EXPORTER_OTLP_HEADERS'])
      expect(text).to.contain(`${variable} must be`);
    expect(text).to.not.contain('hunter2');
  });

  for (const url of [
    'mysql://u:hunter2@127.0.0.1:1/db',
    'mysql://u:hun%ter2@127.0.0.1:1/db',
    'mysql://u:hunter2@[::1/db',
  ])
    it(`migrations of ${url.replace(/:[^:@]*@/, ':…@')} say what is wrong without the password`, () => {
      const text = said('db/migrate-main.js', { DATABASE_URL: url });
      expect(text).to.not.match(/hun.*ter2/);
      expect(text.trim()).to.not.equal('');
    });

  it('a wrong password is said, and not shown', async () => {
    const wrong = new URL(testEnvironment()['DATABASE_URL']!);
    wrong.password = 'hunter2';
    // Where the machine stands still, connecting takes too long, and nothing is known of the password.
    const text = await eventually(() => {
      const ended = said('db/migrate-main.js', { DATABASE_URL: wrong.href });
      return !ended.includes('ETIMEDOUT') && ended;
    });
    expect(text)
      .to.match(/denied/i)
      .and.not.contain('hunter2');
  });
});
