import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { problems, type ProblemCode } from '../../../src/errors.js';
import { ownTime } from '../../support/ownTime.js';
import { exchange, type Exchange, type Piece } from '../../support/raw.js';
import { useServer, type ServerProcess } from '../../support/process.js';
import { useScene, type Scene } from '../../support/scene.js';

/** A server in a process of its own, with a tenant whose requests are good. */
export interface Site {
  readonly server: ServerProcess;
  readonly scene: Scene;
  readonly apiPort: number;
  readonly adminPort: number;
  /** Header lines of a good request but for Host: credentials, workspace, JSON. */
  readonly good: string;
}

/** The site of a `describe`, which stops after it. */
export function useSite(settings: Readonly<Record<string, string>> = {}): Site {
  // With the usual limit it rightly answers 503 on a machine that stands still for a moment.
  const server = useServer({ LOG_LEVEL: 'warn', DATABASE_TIMEOUT_MS: '30000', ...settings });
  const scene = useScene(server);
  return {
    server,
    scene,
    get apiPort() {
      return Number(new URL(server.baseUrl).port);
    },
    get adminPort() {
      return Number(new URL(server.adminUrl).port);
    },
    get good() {
      return (
        `Authorization: Bearer ${scene.token}\r\n` +
        `X-Workspace-Id: ${scene.workspaceId}\r\n` +
        'Content-Type: application/json\r\n'
      );
    },
  };
}

export const listPath = '/logic/environments';

/** The head of a request with good credentials; `more` header lines each end with CRLF. */
export const head = (site: Site, line: string, more = ''): string => `${line}\r\nHost: x\r\n${site.good}${more}\r\n`;

/** A whole request that creates an environment, with a body of any bytes. */
export const posting = (site: Site, body: string | Buffer, more = ''): Buffer =>
  Buffer.concat([
    Buffer.from(head(site, `POST ${listPath} HTTP/1.1`, `Content-Length: ${Buffer.byteLength(body)}\r\n${more}`)),
    Buffer.from(body),
  ]);

/** A problem's code, or the status of what was refused as HTTP and of an answer of another kind. */
export type Wanted = number | ProblemCode;

export interface RawCase {
  readonly name: string;
  readonly port?: 'api' | 'admin' | 'both';
  readonly send: (site: Site) => readonly Piece[];
  /** Every answer, the interim ones too; none where the connection is just closed. */
  readonly answers: readonly Wanted[];
  /** True where the server must end the connection, false where it must not. */
  readonly closes?: boolean;
  readonly methods?: readonly string[] | undefined;
  readonly withinMs?: number | undefined;
  /** Anything more about the exchange. */
  readonly check?: (done: Exchange, site: Site) => unknown;
}

/** Others are served meanwhile: who is held up by a slow connection waits until that is ended, after 5 s at the soonest. */
const longestProbeMs = 4000;

/** One case on one port, while another client's requests are measured. */
async function attack(site: Site, { send, answers, ...one }: RawCase, port: 'api' | 'admin'): Promise<void> {
  const under = exchange({
    port: port === 'api' ? site.apiPort : site.adminPort,
    pieces: send(site),
    methods: one.methods,
    answers: one.closes === true ? Infinity : answers.filter((wanted) => !(Number(wanted) < 200)).length,
    withinMs: one.withinMs,
  });
  const [done] = await Promise.all([under, probe(site, port, under)]);
  const got = done.answers.map(({ status, body }, at) =>
    typeof answers[at] === 'string' ? codeOf(status, body) : status,
  );
  expect(got, JSON.stringify(done).slice(0, 1000)).to.deep.equal(answers);
  expect(done.rest, 'bytes beyond the answers').to.equal('');
  if (one.closes !== undefined) expect(done.closed, 'closed').to.equal(one.closes);
  for (const [at, answer] of done.answers.entries()) {
    if (typeof answers[at] === 'number' && answer.status >= 400 && one.methods?.[at] !== 'HEAD') expectNotHttp(answer);
    expect(answer.body).to.not.match(/node_modules|\/src\/|\bat .*:\d+:\d+|SELECT |INSERT /);
    if (answer.status >= 500) expect.fail(JSON.stringify(answer));
    if (answer.status >= 200)
      expect(answer.headers['x-request-id']).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  }
  one.check?.(done, site);
}

function codeOf(status: number, body: string): string {
  const { code } = JSON.parse(body) as { code: ProblemCode };
  expect(problems[code].status).to.equal(status);
  return code;
}

/** The problem of what is not valid HTTP. */
function expectNotHttp({ status, headers, body }: Exchange['answers'][number]): void {
  const { detail, instance, ...rest } = JSON.parse(body) as Record<string, unknown>;
  expect(rest).to.deep.equal({
    type: '/problems/malformed_request',
    title: 'The request is not valid HTTP',
    status,
    code: 'malformed_request',
    requestId: headers['x-request-id'],
  });
  expect(detail).to.match(/^[A-Z].+\.$/);
  expect(instance).to.match(/^\//);
  expect(headers).to.include({ 'content-type': 'application/problem+json', connection: 'close' });
}

/** Another client's requests, one after the other, until `under` is done; at least one. */
export async function probe(site: Site, port: 'api' | 'admin', under: Promise<unknown>): Promise<number> {
  const state = { going: true };
  const over = under.finally(() => {
    state.going = false;
  });
  const url = port === 'api' ? `${site.server.baseUrl}${listPath}?size=1` : `${site.server.adminUrl}/healthz`;
  const headers = { Authorization: `Bearer ${site.scene.token}`, 'X-Workspace-Id': site.scene.workspaceId };
  let slowest = 0;
  do {
    const took = ownTime();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    expect(response.status, 'another client meanwhile').to.equal(200);
    slowest = Math.max(slowest, took());
    await Promise.race([sleep(50), over.catch(() => undefined)]);
  } while (state.going);
  expect(slowest, 'the slowest answer to another client, ms').to.be.below(longestProbeMs);
  return slowest;
}

/** A test of each case, on each of its ports; `site` is opened by then. */
export function attackEach(site: Site, cases: readonly RawCase[]): void {
  for (const one of cases) {
    const ports = one.port === 'both' ? (['api', 'admin'] as const) : ([one.port ?? 'api'] as const);
    for (const port of ports) it(`${port}: ${one.name}`, () => attack(site, one, port));
  }
}
