import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { LineReader } from '../../../src/runs/batches/lines.js';

const all = async (pieces: readonly Buffer[], most: { lines: number; bytes: number }): Promise<(string | null)[]> => {
  const reader = new LineReader(Readable.from(pieces), 10);
  const found: (string | null)[] = [];
  for (;;) {
    const lines = await reader.read(most);
    if (lines.length === 0) return found;
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
    const reader = new LineReader(stream, 100);
    stream.push('one\ntwo\nthr');
    expect((await reader.read({ lines: 10, bytes: 1000 })).map(String)).to.deep.equal(['one', 'two']);
    stream.push('ee\n');
    expect((await reader.read({ lines: 10, bytes: 1000 })).map(String)).to.deep.equal(['three']);
    stream.destroy(new Error('cut off'));
    const failure = await reader.read({ lines: 1, bytes: 1 }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
  });
});
