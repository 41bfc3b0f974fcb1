import { expect } from 'chai';
import { Problem } from '../../../src/errors.js';
import { createReadText } from '../../../src/http/body/jsonText.js';
import { createReadItem } from '../../../src/runs/batches/item.js';

describe('items of a batch', () => {
  it('for which no thread has time are no faulty ones: they can be read later', async () => {
    const work = (): Promise<never> => Promise.reject(new Problem('overloaded', 'no thread has time'));
    const readItem = createReadItem({
      readText: createReadText({ maxDepth: 64, models: { work } }),
      maxBytes: 1e6,
      owner: 'w',
    });
    const large = Buffer.from(JSON.stringify({ fact: { text: 'x'.repeat(70_000) } }));
    const refusal = await Promise.resolve(readItem(0, large)).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Problem).and.to.include({ code: 'overloaded' });
    // A small one needs no thread.
    expect(await readItem(0, Buffer.from('{"fact":{}}'))).to.include({ text: '{"fact":{}}' });
  });
});
