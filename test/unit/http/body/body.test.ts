import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import Koa from 'koa';
import { expect } from 'chai';
import { createModelWork } from '../../../../workers/models/index.js';
import { defaultRunLimits } from '../../../../workers/protocol.js';
import { Problem } from '../../../../src/errors.js';
import { createReadJson } from '../../../../src/http/body/body.js';
import { createReadText, maxJsonValues, type BodyShape } from '../../../../src/http/body/jsonText.js';
import type { HttpContext, RequestState } from '../../../../src/http/server/context.js';
import { exchange, type Piece } from '../../../support/raw.js';

/** A request as far as reading its body goes. */
function posted(body: string): HttpContext {
  const request = Readable.from([Buffer.from(body)]);
  Object.assign(request, { headers: { 'content-type': 'application/json' } });
  return { req: request, request: {}, is: () => 'text', method: 'POST' } as unknown as HttpContext;
}

const unaccounted = { owner: '', grow: () => undefined, growLater: () => Promise.resolve(), shrink: () => undefined };

const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const whole = (body: string): string => `${head}Content-Length: ${body.length}\r\n\r\n${body}`;

/** What a server answers to the pieces, of what it does with each request. */
async function answersOf(
  handle: (ctx: HttpContext) => Promise<unknown>,
  pieces: readonly Piece[],
  count = 1,
): Promise<string[]> {
  const app = new Koa<RequestState>();
  app.use(async (ctx: HttpContext) => {
    ctx.body = await handle(ctx).catch((error: unknown) => String(error));
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { answers } = await exchange({ port: (server.address() as AddressInfo).port, pieces, answers: count });
  server.close();
  return answers.map(({ body }) => body);
}

describe('reading a body', () => {
  const readText = createReadText({ maxDepth: 8, models: createModelWork(defaultRunLimits) });
  const readJson = createReadJson({ maxBytes: 1024, readText });

  it('takes all of a body that came in pieces before it was asked for', async () => {
    const text = '{"a":1}';
    const late = async (ctx: HttpContext): Promise<unknown> => {
      while (ctx.req.readableLength < text.length) await sleep(5);
      return readJson(ctx, unaccounted);
    };
    const [answer = ''] = await answersOf(late, [`${head}Content-Length: 7\r\n\r\n{"a"`, 100, ':1}']);
    expect(JSON.parse(answer)).to.deep.include({ text, value: { a: 1 } });
  });

  it('a body of long numbers cost hundreds of looks at each of its digits', async () => {
    const length = 1024 * 1024;
    const readLong = createReadJson({ maxBytes: length, readText });
    const timed = async (ctx: HttpContext): Promise<string> => {
      const before = process.cpuUsage();
      await readLong(ctx, unaccounted);
      const { user, system } = process.cpuUsage(before);
      return String(user + system);
    };
    const timeOf = async (digits: number): Promise<number> => {
      const number = `${'1'.repeat(digits)},`;
      const body = `{"l":[${number.repeat(Math.floor(length / number.length) - 1)}1]}`;
      return Number((await answersOf(timed, [whole(body)]))[0]);
    };
    const times: [number, number][] = [];
    for (let round = 0; round < 5; round++) times.push([await timeOf(10), await timeOf(299)]);
    const least = (of: 0 | 1): number => Math.min(...times.map((both) => both[of]));
    expect(least(1) / least(0), JSON.stringify(times)).to.be.below(4);
  });

  describe('counts its values', () => {
    const readLarge = createReadJson({ maxBytes: 2 * 1024 * 1024, readText });
    const answerTo = async (body: string): Promise<string> =>
      (await answersOf((ctx) => Promise.resolve(readLarge(ctx, unaccounted)).then(() => 'read'), [whole(body)]))[0] ??
      '';
    const list = (items: string[]): string => `{"l":[${items.join(',')}]}`;
    const shapes: Readonly<Record<string, (count: number) => string>> = {
      'empty objects': (count) => list(Array<string>(count - 2).fill('{}')),
      'empty lists with white space in them': (count) => list(Array<string>(count - 2).fill('[ \n]')),
      numbers: (count) => list(Array<string>(count - 2).fill('1')),
      'texts with brackets and commas in them': (count) => list(Array<string>(count - 2).fill('"[,{"')),
      'members of objects': (count) => list(Array<string>(Math.ceil((count - 2) / 3)).fill('{"a":1,"b":2}')),
    };
    for (const [name, shape] of Object.entries(shapes)) {
      it(`${name}: as many as there may be are read, one more is refused`, async () => {
        const most = maxJsonValues - ((maxJsonValues - 2) % 3);
        expect(await answerTo(shape(most))).to.equal('read');
        const step = name === 'members of objects' ? 3 : 1;
        expect(await answerTo(shape(maxJsonValues + step))).to.equal(
          `Problem: The body may hold at most ${maxJsonValues} values.`,
        );
      });
    }
  });

  it('gives an outline of a large open body, and the whole value of a closed one', async () => {
    const readBoth = createReadJson({ maxBytes: 1024 * 1024, readText });
    const body = JSON.stringify({ version: 2, fact: { text: 'x'.repeat(70_000), deep: { list: [1] } }, list: [1] });
    const valueOf = async (shape: BodyShape): Promise<unknown> =>
      (await readBoth(posted(body), unaccounted, shape)).value;
    expect(await valueOf('open')).to.deep.equal({ version: 2, fact: {}, list: [] });
    expect(await valueOf('closed')).to.deep.equal(JSON.parse(body));
  });

  it('leaves an operation’s own texts in an outline whole, and no less than it refuses', async () => {
    const readBoth = createReadJson({ maxBytes: 1024 * 1024, readText });
    // In the body each takes twelve bytes.
    const message = '\\ud83d\\ude00'.repeat(2000);
    const body = `{"message":"${message}","long":"${'x'.repeat(70_000)}","é":"\\u0001"}`;
    const { value } = await readBoth(posted(body), unaccounted, 'open');
    expect(value).to.deep.equal({ message: '😀'.repeat(2000), long: 'x'.repeat(8192), é: '\u0001' });
  });

  it('tells a body that no thread has time for from one that no thread has the memory for', async () => {
    const codeOf = async (reason: 'timeout' | 'memory'): Promise<unknown> => {
      const stopped = {
        kind: 'stopped',
        reason,
        message: '',
        engineUs: 0,
        recordedFact: null,
        factRedacted: false,
      } as const;
      const stopping = createReadText({ maxDepth: 8, models: { work: () => Promise.resolve(stopped) } });
      const refusal = await Promise.resolve(stopping(Buffer.from(' '.repeat(70_000)), 'w', 'open')).catch(
        (error: unknown) => error,
      );
      return (refusal as Problem).code;
    };
    // What is repeated after a while must be able to succeed.
    expect(await codeOf('timeout')).to.equal('overloaded');
    expect(await codeOf('memory')).to.equal('body_too_large');
  });

  it('refuses a large body for its fields before it is parsed: all of a closed one count, those of the first level of an open one', async () => {
    const readBoth = createReadJson({ maxBytes: 1024 * 1024, readText });
    const many = Array.from({ length: 90_000 }, (_, at) => `"${at}":0`).join();
    const judged = async (body: string, shape: BodyShape): Promise<string> => {
      return readBoth(posted(body), unaccounted, shape).then(
        () => 'read',
        (error: unknown) => (error as Problem).code,
      );
    };
    expect(await judged(`{"fact":{},${many}}`, 'open')).to.equal('validation_failed');
    expect(await judged(`{"fact":{${many}}}`, 'open')).to.equal('read');
    expect(await judged(`{"fact":{${many}}}`, 'closed')).to.equal('validation_failed');
    expect(await judged(`{"notifications":[${Array<string>(90_000).fill('{}').join()}]}`, 'closed')).to.equal(
      'validation_failed',
    );
    expect(await judged(`{"a":"${'x'.repeat(100_000)}"}`, 'closed')).to.equal('read');
  });

  it('gives up a body whose next piece the account refuses, and goes on with the connection', async () => {
    let held = 0;
    const account = {
      owner: '',
      grow(bytes: number) {
        if (held + bytes > 1000) throw new Problem('overloaded', 'too much');
        held += bytes;
      },
      growLater: () => Promise.reject(new Problem('overloaded', 'too much')),
      shrink: (bytes: number) => void (held -= bytes),
    };
    const read = async (ctx: HttpContext): Promise<unknown> => {
      const { text } = await Promise.resolve(readJson(ctx, account)).finally(() => (held = 0));
      return text;
    };
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    const long = `"${'x'.repeat(400)}`;
    const bomb = gzipSync(`"${'x'.repeat(1000)}"`);
    const pieces = [
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk(long)}`,
      100,
      chunk(long),
      100,
      `${chunk('"')}0\r\n\r\n`,
      100,
      `${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
      bomb,
      100,
      `${head}Content-Length: 7\r\n\r\n{"a":1}`,
    ];
    expect(await answersOf(read, pieces, 3)).to.deep.equal(['Problem: too much', 'Problem: too much', '{"a":1}']);
  });
});
