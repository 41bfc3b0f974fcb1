import { expect } from 'chai';
import { readList } from '../../../../src/http/body/listItems.js';
import { createReadText } from '../../../../src/http/body/jsonText.js';
import { workerFile } from '../../../../src/admission/pool/workerFile.js';
import { bootPool, closePools, type CountedPool } from '../../../support/pools.js';

/** How often the event loop turns meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

function shared(text: string): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.set(Buffer.from(text));
  return bytes;
}

describe('large bodies', () => {
  afterEach(closePools);

  const boot = (): Promise<CountedPool> => bootPool({ worker: workerFile, runMaxHeapMb: 256 });
  const rows = `[${Array<string>(150_000).fill('"0123456789"').join()}]`;

  it('leave the main thread to others while a thread reads them', async () => {
    const pool = await boot();
    const readText = createReadText({ maxDepth: 64, models: pool });
    const body = Buffer.from(`{"fact":{"rows":${rows},"e":"\\u0000"}}`);
    let refusal: unknown;
    const turns = await turnsDuring(async () => {
      refusal = await Promise.resolve(readText(body, 'w', 'open')).catch((error: unknown) => error);
    });
    expect(turns).to.be.above(10);
    expect(refusal).to.deep.nested.include({
      code: 'validation_failed',
      'options.errors': [{ in: 'body', pointer: '/fact/e', message: 'must not contain the NUL character' }],
    });
  });

  it('have their items located by threads, and what stands around them is named by its place in the body', async () => {
    const pool = await boot();
    const limits = { maxBytes: 10_000_000, maxDepth: 64, maxValues: 1_000_000 };
    const rules = { list: 'items', called: 'items', maxItems: 3, limits };
    const read = (text: string): Promise<unknown> =>
      readList(pool, 'w', shared(text), rules).catch((error: unknown) => error);
    const items = [`{"fact":{"é":${rows}}}`, '{"fact":{}}'];
    const before = '{"more":"é","items":[';
    const text = `${before}${items.join(' , ')}]}`;
    let found: unknown;
    expect(await turnsDuring(async () => (found = await read(text)))).to.be.above(10);
    const from = Buffer.byteLength(before);
    const to = from + Buffer.byteLength(items[0]!);
    expect(found).to.deep.equal({
      frame: { more: 'é', items: [0, 0] },
      items: [
        { from, to },
        { from: to + 3, to: to + 3 + items[1]!.length },
      ],
    });
    const place = (offset: number): string =>
      `The body is not JSON: there is an unexpected character at byte ${offset + 1}.`;
    const broken = `${text.slice(0, -1)},x}`;
    expect(await read(broken)).to.include({ message: place(Buffer.byteLength(broken) - 2) });
    const inItem = text.replace('{"fact":{}}', '{"fact":{},}');
    expect(await read(inItem)).to.include({ message: place(Buffer.byteLength(inItem) - 3) });
    expect(await read('{"items":[1,2,3,4]}')).to.deep.nested.include({
      'options.errors': [{ in: 'body', pointer: '/items', message: 'must have at most 3 items' }],
    });
    expect(await read('{"items":[1],"items":[2]}')).to.include({ message: 'The body has `items` more than once.' });
    expect(await read('{"items":[1],')).to.include({ message: 'The body is not JSON: it ends too early.' });
    expect(await read(`{"items":[${'['.repeat(65)}${']'.repeat(65)}]}`)).to.include({
      message: 'The body may nest at most 66 levels.',
    });
  });
});
