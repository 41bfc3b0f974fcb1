import { execFileSync } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { faultSeconds } from '../../faults/table.js';
import { connect, exchange, type Exchange, type Piece } from '../../support/raw.js';
import { head, listPath, posting, probe, type Site, useSite } from './site.js';
import { allowedMs } from '../../support/environment.js';

/** Bytes that trickle in, one a pause, for longer than any limit. */
const trickle = (text: string, pauseMs: number): Piece[] => Array.from(text).flatMap((byte) => [byte, pauseMs]);
const longest = 60_000;
/** A connection is looked at once a second, and the machine may be busy; each would go on for longer than that. */
const slackMs = 15_000;

interface Slow {
  readonly name: string;
  readonly send: (site: Site) => readonly Piece[];
  readonly answers: readonly number[];
  readonly withinMs: number;
}

const slow: readonly Slow[] = [
  { name: 'nothing at all', send: () => [], answers: [408], withinMs: 5000 },
  {
    name: 'a header that trickles',
    send: () => ['GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', ...trickle('x'.repeat(100), 250)],
    answers: [408],
    withinMs: 5000,
  },
  { name: 'a method that trickles', send: () => trickle('GET'.padEnd(100), 250), answers: [408], withinMs: 5000 },
  {
    name: 'a second request that trickles on a connection that was good',
    send: () => ['GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n', ...trickle('x'.repeat(100), 250)],
    answers: [404, 408],
    withinMs: 5000,
  },
  {
    name: 'a body that trickles',
    send: (site) => [
      head(site, `POST ${listPath} HTTP/1.1`, 'Content-Length: 1000\r\n'),
      ...trickle('{'.padEnd(1000), 250),
    ],
    answers: [408],
    withinMs: 15_000,
  },
  {
    name: 'chunks that trickle',
    send: (site) => [
      head(site, `POST ${listPath} HTTP/1.1`, 'Transfer-Encoding: chunked\r\n'),
      ...Array<string>(200)
        .fill('1\r\n \r\n')
        .flatMap((chunk) => [chunk, 250]),
    ],
    answers: [408],
    withinMs: 15_000,
  },
  {
    name: 'a form at the token endpoint that trickles',
    send: () => [
      'POST /core/oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 999\r\n\r\n',
      ...trickle('grant_type='.padEnd(999, 'x'), 250),
    ],
    answers: [408],
    withinMs: 15_000,
  },
];

/** This process and the server have as many open files each, and some of their own. */
function requireOpenFiles(connections: number): void {
  // As Node left it, which raises it as far as it may.
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  const needed = connections + 1000;
  if (limit === 'unlimited' || Number(limit) >= needed) return;
  throw new Error(
    `${connections} connections need ${needed} open files, and the limit here is ${limit}. Raise it as root ` +
      `(\`ulimit -Hn ${needed}\`, or in a container \`docker run --ulimit nofile=${needed}\`), then run this again.`,
  );
}

describe('slow and many connections', function () {
  this.timeout(300_000 + 6000 * faultSeconds);
  const site = useSite();
  let exchanges: Map<Slow, Promise<Exchange>>;
  before(() => {
    // All at once, while the tests below go on.
    exchanges = new Map(
      slow.map((one) => [one, exchange({ port: site.apiPort, pieces: one.send(site), withinMs: longest })]),
    );
  });

  it('a reader that reads nothing holds nobody up', async () => {
    // Few enough that their number alone delays nobody: it is their answers, unread, that are the attack.
    const lists = Array.from({ length: 30 }, async () => {
      const socket = await connect(site.apiPort);
      socket.pause();
      socket.write(head(site, `GET ${listPath}?size=5000 HTTP/1.1`).repeat(10));
      return socket;
    });
    const sockets = await Promise.all(lists);
    await probe(site, 'api', sleep(500));
    for (const socket of sockets) socket.resetAndDestroy();
    await probe(site, 'api', Promise.resolve());
  });

  it('clients that go away in the middle of anything leave the server well', async () => {
    const whole = posting(site, '{"name":"gone"}');
    const cuts = Array.from({ length: 150 }, (_, at) => Math.floor((whole.length * at) / 150));
    const vanish = async (cut: number): Promise<void> => {
      const socket = await connect(site.apiPort);
      await new Promise((resolve) => socket.write(whole.subarray(0, cut), resolve));
      if (cut % 2 === 0) socket.resetAndDestroy();
      else socket.end();
    };
    await probe(site, 'api', Promise.all(cuts.map(vanish)));
  });

  const count = faultSeconds > 0 ? 10_000 : 1000;
  it(`${count} idle connections, and others are served`, async () => {
    requireOpenFiles(count);
    const sockets: Socket[] = [];
    for (let made = 0; made < count; made += 250) {
      const some = await Promise.all(Array.from({ length: 250 }, () => connect(site.apiPort)));
      // At once: one that asks nothing is ended after 5 s, in which a busy machine may not open all of them.
      const answers = some.map((socket) => {
        socket.on('error', () => undefined);
        socket.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
        return new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
      });
      await Promise.all(answers);
      sockets.push(...some);
    }
    expect(sockets.filter(({ destroyed }) => destroyed)).to.have.length(0);
    await probe(site, 'api', sleep(500));
    for (const socket of sockets) socket.destroy();
    await probe(site, 'api', Promise.resolve());
  });

  for (const one of slow) {
    it(`${one.name} is ended in time, and others are served`, async () => {
      const running = exchanges.get(one)!;
      await probe(site, 'api', Promise.race([running, sleep(300)]));
      const done = await running;
      expect(
        done.answers.map(({ status }) => status),
        JSON.stringify(done),
      ).to.deep.equal(one.answers);
      expect(done.closed).to.equal(true);
      expect(done.ms).to.be.at.least(one.withinMs - 1500);
      expect(done.ownMs).to.be.at.most(one.withinMs + allowedMs(slackMs));
    });
  }
});
