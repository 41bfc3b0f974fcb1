import { Readable } from 'node:stream';
import { expect } from 'chai';
import { createReadLarge } from '../../../../src/http/body/largeBody.js';
import type { ByteAccount } from '../../../../src/admission/byteBudget.js';
import type { HttpContext } from '../../../../src/http/server/context.js';

const maxBytes = 4 * 1024 * 1024;
const readLarge = createReadLarge({ maxBytes });

/** A request whose body comes in these pieces. */
function posted(pieces: readonly Uint8Array[], headers: Readonly<Record<string, string>> = {}): HttpContext {
  const request = Readable.from(pieces);
  Object.assign(request, { complete: true, headers: { 'content-type': 'application/json', ...headers } });
  return { req: request, request: {}, is: () => 'text', method: 'POST' } as unknown as HttpContext;
}

/** What was accounted, in order; what was given back is negative. */
function account(limit = Infinity): ByteAccount & { readonly grown: number[] } {
  const grown: number[] = [];
  const grow = (bytes: number): void => {
    grown.push(bytes);
    if (grown.reduce((sum, one) => sum + one, 0) > limit) throw new Error('no more room');
  };
  return {
    ...{ grown, owner: '', grow },
    growLater: (bytes) => Promise.resolve().then(() => grow(bytes)),
    shrink(bytes) {
      if (bytes > 0) grown.push(-bytes);
    },
  };
}

describe('reading a large body', () => {
  const piece = Buffer.alloc(700_000, 'x');

  it('gathers it in shared memory, and accounts all that is announced before it comes', async () => {
    const accounted = account();
    const length = { 'content-length': String(3 * piece.length) };
    const body = await readLarge(posted([piece, piece, piece], length), accounted);
    expect(body.buffer).to.be.instanceOf(SharedArrayBuffer);
    expect(Buffer.from(body).equals(Buffer.concat([piece, piece, piece]))).to.equal(true);
    expect(accounted.grown).to.deep.equal([3 * piece.length]);
  });

  it('accounts what is not announced as it comes, for as much again each time, and gives back what was too much', async () => {
    const accounted = account();
    await readLarge(posted(Array<Buffer>(4).fill(piece)), accounted);
    const held = [1, 2, 4].map((times) => times * piece.length);
    expect(accounted.grown).to.deep.equal([held[0], held[0], 2 * piece.length]);
    const less = account();
    await readLarge(posted([Buffer.alloc(60_000), piece, Buffer.alloc(1)]), less);
    expect(less.grown).to.deep.equal([60_000, piece.length, piece.length + 60_000, 1 - piece.length - 60_000]);
  });

  it('takes no memory for what is announced before it comes', async () => {
    const body = await readLarge(posted([Buffer.from('{}')], { 'content-length': String(maxBytes) }), account());
    expect(body.buffer.byteLength).to.equal(1024 * 1024);
  });
});
