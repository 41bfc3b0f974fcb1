import { expect } from 'chai';
import { idToBytes } from '../../../src/storage/ids.js';
import { useApp } from '../../support/app.js';
import { call } from '../../support/http.js';
import { expressing } from '../../support/models.js';
import { logicHeaders, testDatabase, useScene } from '../../support/scene.js';
import { bodyOf } from '../../support/asserts.js';

interface Item {
  readonly index: number;
  readonly id: string | null;
  readonly result: unknown;
}

describe('batches with an Idempotency-Key', () => {
  const app = useApp();
  const scene = useScene(app);
  let environmentId: string;
  let decisionId: string;
  let path: string;
  before(async () => {
    environmentId = await scene.environment();
    await scene.variable(environmentId, 'TOKEN', 'very secret', true);
    ({ decisionId } = await scene.deployed(
      'keyed.json',
      expressing({ r: 'rand(1000000000)', s: 'show == true ? $env.TOKEN : ""' }),
      environmentId,
    ));
    path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
  });

  const post = async (key: string, items: readonly object[]): Promise<Item[]> =>
    (bodyOf(await scene.caller.post(path, { items }, { 'Idempotency-Key': key })) as { items: Item[] }).items;
  const recorded = async (ids: readonly (string | null | undefined)[]): Promise<number> => {
    const rows = (await testDatabase()('executions')
      .select('id')
      .whereIn(
        'id',
        ids.map((id) => idToBytes(id ?? '')),
      )) as object[];
    return rows.length;
  };

  it('a repeat runs only what has no record yet, and answers the rest from its record', async () => {
    const items = [0, 1, 2].map((n) => ({ fact: { n, show: n === 1 }, key: `item ${n}` }));
    const first = await post('resumed', items.slice(0, 2));
    expect(first[1]?.result).to.have.property('s', 'very secret');
    const again = await post('resumed', items);
    expect(again.slice(0, 2)).to.deep.equal(first);
    expect(await recorded(again.map(({ id }) => id))).to.equal(3);
    expect(await post('resumed', items)).to.deep.equal(again);
    const other = await post('another', items);
    expect(other.map(({ id }) => id)).to.not.include.members(again.map(({ id }) => id));
  });

  it('a stream repeats too, line by line', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => ({ fact: { n, show: false }, key: String(n) }));
    const send = async (count: number): Promise<string[]> => {
      const answer = await call(`${app.baseUrl}${path}`, {
        method: 'POST',
        headers: { ...logicHeaders(scene), 'Content-Type': 'application/x-ndjson', 'Idempotency-Key': 'stream' },
        body: lines
          .slice(0, count)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      });
      return answer.text.trimEnd().split('\n');
    };
    const half = await send(150);
    const whole = await send(300);
    expect(whole).to.have.length(301);
    expect(whole.slice(0, 150)).to.deep.equal(half.slice(0, -1));
    expect(whole.at(-1)).to.include('"completed":300,"failed":0');
  });

  it('a key that was used for another item is refused, and the same item twice runs once', async () => {
    const [first, twin, other] = await post('twins', [
      { fact: { n: 1 }, key: 'a' },
      { fact: { n: 1 }, key: 'a' },
      { fact: { n: 2 }, key: 'a' },
    ]);
    expect({ ...twin, index: 0 }).to.deep.equal(first);
    const error = 'This key was used for another item with this Idempotency-Key.';
    expect(other).to.deep.equal({
      index: 2,
      key: 'a',
      id: null,
      status: 'FAILED',
      result: { error },
      performance: null,
      code: 'idempotency_key_reused',
    });
  });

  it('batches at the same time record each item once', async () => {
    const items = Array.from({ length: 40 }, (_, n) => ({ fact: { n }, key: String(n) }));
    const answers = await Promise.all([1, 2, 3].map(() => post('together', items)));
    const [one] = answers;
    for (const each of answers) expect(each).to.deep.equal(one);
    expect(await recorded(one!.map(({ id }) => id))).to.equal(40);
  });

  it('an item with a key is never one without, whatever its key is', async () => {
    const fact = { n: 1, show: false };
    const places = ['0', '1', 'index', 'index,0', ''].map((key) => (key === '' ? { fact } : { fact, key }));
    const answers = await post('places', [{ fact }, ...places]);
    expect(new Set(answers.map(({ id }) => id)), JSON.stringify(answers)).to.have.property('size', places.length + 1);
    expect(await recorded(answers.map(({ id }) => id))).to.equal(places.length + 1);
  });

  it('items without a key go by their places', async () => {
    const items = [{ fact: { n: 1 } }, { fact: { n: 1 } }];
    const first = await post('unkeyed', items);
    expect(first[0]?.id).to.not.equal(first[1]?.id);
    expect(await post('unkeyed', items)).to.deep.equal(first);
    const other = await post('unkeyed', [{ fact: { n: 2 } }, ...items]);
    expect(other.map((item) => (item as { code?: string }).code)).to.deep.equal([
      'idempotency_key_reused',
      undefined,
      undefined,
    ]);
  });
});
