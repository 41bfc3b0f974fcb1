import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { LineReader, type LineRules } from '../../../src/runs/batches/lines.js';

/** What is reserved now, and how much it ever was. */
const reserved = { now: 0, most: 0 };
const rules = (maxBytes: number, maxWaitMs = 60_000): LineRules => ({
  maxBytes,
  maxWaitMs,
  grow: (bytes) => {
    reserved.now += bytes;
    reserved.most = Math.max(reserved.most, reserved.now);
    return Promise.resolve();
  },
  shrink: (bytes) => void (reserved.now -= bytes),
});

const all = async (pieces: readonly Buffer[], most: { lines: number; bytes: number }): Promise<(string | null)[]> => {
  const reader = new LineReader(Readable.from(pieces), rules(10));
  const found: (string | null)[] = [];
  for (;;) {
    const lines = await reader.read(most);
    if (lines.length === 0) {
      expect(reserved.now).to.equal(0);
      return found;
    }
    expect(lines.length).to.be.at.most(most.lines);
    found.push(...lines.map((line) => line && line.toString()));
  }
};

describe('lines of a stream', () => {
  it('are the same however the stream is cut into pieces', async () => {
    const text = fc
      .array(fc.constantFrom('a', '\n', 'é', '0123456789'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        fc.integer({ min: 1, max: 4 }),
        async (whole, sizes, most) => {
          const bytes = Buffer.from(whole);
          const pieces: Buffer[] = [];
          for (let at = 0; at < bytes.length;) {
            const size = sizes.next().value as number;
            pieces.push(bytes.subarray(at, at + size));
            at += size;
          }
          const wanted = whole.split('\n');
          if (wanted.at(-1) === '') wanted.pop();
          const tooLong = (line: string): boolean => Buffer.byteLength(line) > 10;
          expect(await all(pieces, { lines: most, bytes: 20 })).to.deep.equal(
            wanted.map((line) => (tooLong(line) ? null : line)),
          );
        },
      ),
    );
  });

  it('are given out as they come, before the stream goes on', async () => {
    const stream = new Readable({ read: () => undefined });
    const reader = new LineReader(stream, rules(100));
    stream.push('one\ntwo\nthr');
    expect((await reader.read({ lines: 10, bytes: 1000 })).map(String)).to.deep.equal(['one', 'two']);
    stream.push('ee\n');
    expect((await reader.read({ lines: 10, bytes: 1000 })).map(String)).to.deep.equal(['three']);
    stream.destroy(new Error('cut off'));
    const failure = await reader.read({ lines: 1, bytes: 1 }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
  });

  it('of which the end has not come are reserved by their bytes, in however many pieces they come', async () => {
    const bytes = 100_000;
    reserved.most = 0;
    const reader = new LineReader(Readable.from(Array<Buffer>(bytes).fill(Buffer.from('x'))), rules(bytes));
    const lines = await reader.read({ lines: 1, bytes: 1 });
    expect(lines.map((line) => line?.length)).to.deep.equal([bytes]);
    // While the memory doubles there are two of them.
    expect(reserved.most).to.be.within(bytes, 3 * bytes);
    expect(await reader.read({ lines: 1, bytes: 1 })).to.deep.equal([]);
    expect(reserved.now).to.equal(0);
  });

  it('are not kept where what they need is refused, or once they are too long', async () => {
    const refusing = { ...rules(100), grow: () => Promise.reject(new Error('no more room')) };
    const failure = await new LineReader(Readable.from([Buffer.from('x')]), refusing)
      .read({ lines: 1, bytes: 1 })
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'no more room');
    reserved.most = 0;
    const long = new LineReader(Readable.from(Array<Buffer>(1000).fill(Buffer.from('x'.repeat(101)))), rules(100));
    expect(await long.read({ lines: 1, bytes: 1 })).to.deep.equal([null]);
    expect(reserved.most).to.equal(0);
  });

  it('that have begun must end in time, in which only the wait for the client counts', async () => {
    const stream = new Readable({ read: () => undefined });
    const reader = new LineReader(stream, rules(100, 50));
    const read = (): Promise<unknown> => reader.read({ lines: 1, bytes: 1 }).catch((error: unknown) => error);
    stream.push('one\ntw');
    expect(String(await read())).to.equal('one');
    await sleep(100);
    stream.push('o\n');
    expect(String(await read())).to.equal('two');
    stream.push('thr');
    expect(await read()).to.have.property('message', 'a line took too long');
    stream.destroy();
  });
});
