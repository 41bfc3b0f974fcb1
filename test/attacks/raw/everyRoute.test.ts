import type { Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { insertDifferences } from '../../../src/replays/differences.store.js';
import { newId } from '../../../src/storage/ids.js';
import { poolOf, useOwnApp } from '../../support/app.js';
import { isLong } from '../../support/environment.js';
import { eventually } from '../../support/eventually.js';
import { useStore } from '../../support/factories.js';
import { call } from '../../support/http.js';
import type { OpenApi } from '../../support/openapi.js';
import { connect, exchange, type Exchange } from '../../support/raw.js';
import { buildWorld, type World } from '../../support/operations/world.js';
import { linesType as lines, requestsOf, type RawRequest } from './requests.js';

describe('a body on every route', () => {
  const app = useOwnApp();
  const store = useStore();
  let mine: World;
  let neighbour: World;
  let requests: readonly RawRequest[];
  /** Those whose operation takes a body. */
  let posted: readonly RawRequest[];

  before(async () => {
    mine = await buildWorld(app, store, 'mine');
    neighbour = await buildWorld(app, store, 'neighbour');
    const document = (await call(`${app.baseUrl}/openapi.json`)).body as OpenApi;
    requests = [...requestsOf(document, mine), settings];
    posted = requests.filter(({ body }) => body.length > 0);
  });

  const portOf = ({ port }: RawRequest): number => Number(new URL(port === 'api' ? app.baseUrl : app.adminUrl).port);
  /** @param answers after which no more is waited for; the end of the connection where there is no number */
  const ask = (asked: RawRequest, framing: string, body: Buffer, answers = Infinity): Promise<Exchange> =>
    exchange({
      port: portOf(asked),
      pieces: [`${asked.line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${asked.headers}${framing}\r\n`, body],
      methods: [asked.line.split(' ')[0] ?? ''],
      answers,
    });
  const sized = ({ length }: Buffer, coding = ''): string =>
    `Content-Length: ${length}\r\n${coding === '' ? '' : `Content-Encoding: ${coding}\r\n`}`;

  /**
   * Nothing is held for anybody, no run waits, and others are served. A shadow is held as long as it is served, and so is what
   * fields are measured in.
   */
  async function requireQuiet(name: string): Promise<void> {
    await eventually(async () => {
      const { bytesInFlight, waiting } = await poolOf(app);
      if (bytesInFlight + waiting === 0) return true;
      await store.database('shadows').whereNull('ended_at').update({ ended_at: new Date() });
      await store.database('measured_fields').delete();
      return false;
    });
    const answer = await neighbour.caller.get('/logic/environments?size=1');
    expect(answer.status, `${name}: a neighbour`).to.equal(200);
  }

  it('is there for each operation of the document that takes one', () => {
    expect(posted.length).to.be.at.least(20);
    expect(posted.filter(({ headers }) => headers.includes(lines))).to.have.length(2);
    expect(posted.map(({ line }) => line)).to.include.members(['POST /core/oauth2/token', 'PATCH /pool']);
  });

  it('in chunks of one byte is refused with a code, and ends its connection unread', async () => {
    for (const asked of requests) {
      const padding = Buffer.from('1\r\n \r\n'.repeat(20_000));
      const { answers, closed } = await ask(asked, 'Transfer-Encoding: chunked\r\n', padding);
      expect(closed, asked.name).to.equal(true);
      expect(answers, asked.name).to.have.length(1);
      const { status, body, headers } = answers[0]!;
      // The head of a stream is sent before its body is read: it is cut off.
      if (asked.headers.includes(lines)) expect(status, asked.name).to.equal(200);
      else expect(headers['connection'], asked.name).to.equal('close');
      if (asked.body.length === 0 || asked.headers.includes(lines)) continue;
      expect(status, `${asked.name}: ${body}`).to.equal(413);
      expect(body, asked.name).to.match(/"(body_too_large|invalid_request)"/);
    }
    await requireQuiet('chunks of one byte');
  });

  it('that breaks off leaves nothing: plain, packed or in chunks', async () => {
    for (const [number, asked] of posted.entries()) {
      const [plain, packed] = [asked.body, gzipSync(asked.body)];
      const framings: [string, Buffer][] = [
        [sized(plain), plain.subarray(0, plain.length / 2)],
        [sized(packed, 'gzip'), packed.subarray(0, packed.length / 2)],
        ['Transfer-Encoding: chunked\r\n', Buffer.from('100000\r\n{"name":"')],
        [`Content-Length: 1000000\r\n`, Buffer.alloc(300_000, ' ')],
      ];
      for (const [framing, body] of framings) {
        const socket = await connect(portOf(asked));
        const head = `${asked.line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${asked.headers}${framing}\r\n`;
        socket.on('error', () => undefined);
        await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(head), body]), resolve));
        socket.resetAndDestroy();
      }
      if (isLong || number % 8 === 7) await requireQuiet(asked.name);
    }
    await requireQuiet('bodies that break off');
  });

  it('that came whole from a client that is gone leaves nothing', async () => {
    for (const asked of posted) {
      const socket = await connect(portOf(asked));
      const head = `${asked.line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${asked.headers}${sized(asked.body)}\r\n`;
      await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(head), asked.body]), resolve));
      socket.resetAndDestroy();
    }
    await requireQuiet('clients that are gone');
  });

  it('is answered at length only as far as it is read, and what waits is charged', async () => {
    const big = 'x'.repeat(26_000);
    const executions = Array.from({ length: 500 }, (_, at) => ({
      executionId: newId(),
      reference: String(at),
      changes: JSON.stringify([{ pointer: '/mark', before: big, after: null }]),
      pointers: ['/mark'],
    }));
    const ref = { workspaceId: mine.workspaceId, id: mine.replayId };
    await store.database.transaction((transaction) => insertDifferences(transaction, ref, executions));
    const path = `/logic/replays/${mine.replayId}/differences?size=500`;
    const { data } = (await mine.caller.get(path)).body as { data: { executionId: string }[] };
    // The newest first; the world's own is older.
    const newest = executions.map(({ executionId }) => executionId).reverse();
    expect(data.map(({ executionId }) => executionId)).to.deep.equal(newest);

    const [one] = requests.filter(({ name }) => name.startsWith('listReplayDifferences'));
    const sockets = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const socket = await connect(portOf(one!));
        socket.pause();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${one!.headers}\r\n`);
        return socket;
      }),
    );
    const mebibyte = 1024 * 1024;
    await eventually(async () => (await poolOf(app)).bytesInFlight > 20 * mebibyte);
    expect((await neighbour.caller.get('/logic/environments?size=1')).status).to.equal(200);
    // 13 MB each would be 780.
    expect((await poolOf(app)).bytesInFlight).to.be.below(120 * mebibyte);
    for (const socket of sockets) socket.resetAndDestroy();
    await requireQuiet('unread answers');
  });

  it('of a stream is one of so many that a workspace may have open', async () => {
    const [stream] = requests.filter(({ headers }) => headers.includes(lines));
    const open = async (): Promise<{ readonly socket: Socket; readonly head: string }> => {
      const socket = await connect(portOf(stream!));
      socket.on('error', () => undefined);
      const head = new Promise<string>((resolve) => socket.once('data', (piece) => resolve(String(piece))));
      const framing = 'Transfer-Encoding: chunked\r\n';
      socket.write(`${stream!.line} HTTP/1.1\r\nHost: 127.0.0.1\r\n${stream!.headers}${framing}\r\n6\r\n{"fact\r\n`);
      return { socket, head: await head };
    };
    const opened = [];
    for (let count = 0; count < 33; count++) opened.push(await open());
    const statuses = opened.map(({ head }) => head.slice(9, 12));
    expect(statuses).to.deep.equal([...Array<string>(32).fill('200'), '503']);
    expect(opened.at(-1)?.head).to.match(/Retry-After: 1\r\n[^]*"code":"overloaded"/i);
    opened[0]?.socket.resetAndDestroy();
    // Its place is free as soon as the server has seen that.
    const again = await eventually(async () => {
      const { socket, head } = await open();
      opened.push({ socket, head });
      return head.startsWith('HTTP/1.1 200');
    });
    expect(again).to.equal(true);
    for (const { socket } of opened) socket.resetAndDestroy();
    await requireQuiet('streams');
  });

  const quickly = { level: 1, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  for (const [coding, pack] of Object.entries(codings)) {
    it(`is taken in ${coding}, and a bomb of 100 MB is refused`, async () => {
      const bomb = pack(Buffer.alloc(100 * 1024 * 1024, ' '), quickly);
      // All of them in one coding; of the others each tries every fourth route.
      const some = posted.filter((_, at) => isLong || coding === 'gzip' || at % 4 === 0);
      for (const asked of some) {
        const packed = pack(asked.body);
        const [good] = (await ask(asked, sized(packed, coding), packed, 1)).answers;
        // Some are refused for what was done by the same request before: never for how they are packed.
        const wanted = asked.packed ? [200, 201, 202, 409, 429] : [400];
        expect(good?.status, `${asked.name}: ${good?.body}`).to.be.oneOf(wanted);
        const [bad] = (await ask(asked, sized(bomb, coding), bomb, 1)).answers;
        // Of a stream it is a line that is too long.
        const isLines = asked.headers.includes(lines);
        expect(bad?.status, `${asked.name}: ${bad?.body}`).to.equal(isLines ? 200 : asked.packed ? 413 : 400);
      }
      await requireQuiet(coding);
    });
  }
});

/** Of the admin port, which has no document. */
const settings: RawRequest = {
  name: 'PATCH /pool',
  port: 'admin',
  line: 'PATCH /pool',
  headers: 'Content-Type: application/json\r\n',
  body: Buffer.from('{"maxQueue":1000}'),
  packed: true,
};
