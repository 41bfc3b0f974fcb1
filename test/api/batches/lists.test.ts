import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { idToBytes } from '../../../src/storage/ids.js';
import { limitRuns, useApp } from '../../support/app.js';
import { expectProblem, uuidV7 } from '../../support/asserts.js';
import { doubling, endless, expressing, type Model } from '../../support/models.js';
import { testDatabase, type Place, useScene } from '../../support/scene.js';
import { recordedRows } from '../../support/records.js';

interface ItemAnswer {
  readonly id: string;
  readonly performance: string;
}
interface Answered {
  readonly items: ItemAnswer[];
}

describe('batches as a list', () => {
  const app = useApp({ MAX_BODY_BYTES: '65536', MAX_BATCH_BYTES: '262144' });
  const scene = useScene(app);
  let environmentId: string;
  before(async () => {
    environmentId = await scene.environment();
  });

  const batches = (decisionId: string, environment = environmentId): string =>
    `/logic/${environment}/decisions/${decisionId}/batches`;
  const deployed = async (key: string, model: Model): Promise<Place> => {
    const place = await scene.deployed(key, model, environmentId);
    return { ...place, path: batches(place.decisionId) };
  };

  it('a batch answers each item in order, and what it ran on', async () => {
    const { path, deploymentId } = await deployed('list.json', doubling(2));
    const items = [
      { fact: { x: 1 }, key: 'first', reference: 'order-1' },
      { fact: { x: 'no number' }, key: 'second' },
      { fact: { x: 3 } },
    ];
    const answer = await scene.caller.post(path, { items });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    const { items: answered } = answer.body as Answered;
    const [a, b, c] = answered;
    for (const each of [a, b, c]) {
      expect(each?.id).to.match(uuidV7);
      expect(each?.performance).to.match(/^\d+(\.\d{1,3})?ms$/);
    }
    const { error } = (answered[1] as unknown as { result: { error: string } }).result;
    expect(error).to.include('Calculation');
    expect(answer.body).to.deep.equal({
      deploymentId,
      version: 1,
      completed: 2,
      failed: 1,
      items: [
        { index: 0, key: 'first', id: a?.id, status: 'COMPLETED', result: { y: 2 }, performance: a?.performance },
        { index: 1, key: 'second', id: b?.id, status: 'FAILED', result: { error }, performance: b?.performance },
        { index: 2, key: null, id: c?.id, status: 'COMPLETED', result: { y: 6 }, performance: c?.performance },
      ],
    });
    const found = await scene.caller.get('/logic/executions?reference=order-1');
    expect((found.body as { data: ItemAnswer[] }).data.map(({ id }) => id)).to.deep.equal([a?.id]);
    const record = await scene.caller.get(`/logic/executions/${b?.id ?? ''}`);
    expect(record.body).to.deep.include({ status: 'FAILED', fact: { x: 'no number' }, deploymentId, reference: null });
    expect(record.body).to.have.nested.property('trace.calc');
  });

  it('every item of a thousand is recorded once, in the order of ids', async () => {
    const { path, deploymentId } = await deployed('thousand.json', doubling(2));
    const items = Array.from({ length: 1000 }, (_, x) => ({ fact: { x } }));
    const answer = await scene.caller.post(path, { items });
    expect(answer.status, answer.text.slice(0, 500)).to.equal(200);
    const { items: answered, ...counts } = answer.body as Answered & { completed: number; failed: number };
    expect(counts).to.deep.equal({ deploymentId, version: 1, completed: 1000, failed: 0 });
    expect(answered.map((item) => (item as unknown as { result: { y: number } }).result.y)).to.deep.equal(
      items.map(({ fact }) => 2 * fact.x),
    );
    const rows = (await recordedRows(testDatabase())
      .select('id')
      .where({ deployment_id: idToBytes(deploymentId) })) as object[];
    expect(rows).to.have.length(1000);
    expect(new Set(answered.map(({ id }) => id)).size).to.equal(1000);
  });

  it('an item that a limit stops has a code, and the others go on', async () => {
    const { path } = await deployed('stopped.json', {
      ...expressing({
        y: 'stop ? len(map([1..3000], len(map([1..3000], len(map([1..3000], # + 1)))))) : 1',
      }),
    });
    await limitRuns(app, 1500);
    const items = [{ fact: { stop: false } }, { fact: { stop: true }, key: 'k' }, { fact: { stop: false } }];
    const answer = await scene.caller.post(path, { items });
    await limitRuns(app, 60_000);
    expect(answer.status, answer.text).to.equal(200);
    const [first, stopped, last] = (answer.body as Answered).items;
    expect((answer.body as { completed: number }).completed).to.equal(2);
    expect(first).to.deep.include({ status: 'COMPLETED', result: { y: 1 } });
    expect(last).to.deep.include({ status: 'COMPLETED', result: { y: 1 } });
    const { error } = (stopped as unknown as { result: { error: string } }).result;
    expect(stopped).to.deep.equal({
      index: 1,
      key: 'k',
      id: stopped?.id,
      status: 'FAILED',
      result: { error },
      performance: stopped?.performance,
      code: 'engine_timeout',
    });
    const record = await scene.caller.get(`/logic/executions/${stopped?.id ?? ''}`);
    expect(record.body).to.have.nested.property('error.code', 'timeout');
  });

  const faults: [string, unknown, object[]][] = [
    [
      'too many items',
      { items: Array.from({ length: 1001 }, () => ({ fact: {} })) },
      [{ pointer: '/items', message: 'must have at most 1000 items' }],
    ],
    [
      'several bad items',
      { items: [{ fact: {} }, {}, { fact: {}, key: 1, reference: 'a b' }] },
      [
        { pointer: '/items/1/fact', message: 'is required' },
        { pointer: '/items/2/key', message: 'must be string' },
        { pointer: '/items/2/reference', message: 'must match pattern "^[\\x21-\\x7e]{1,255}$"' },
      ],
    ],
    [
      '__proto__ in a fact',
      '{"items":[{"fact":{}},{"fact":{"a":{"__proto__":1}}}]}',
      [{ pointer: '/items/1/fact/a/__proto__', message: 'is not allowed as a name' }],
    ],
    [
      'an item that is larger than a body',
      { items: [{ fact: { a: 'x'.repeat(65_536) } }] },
      [{ pointer: '/items/0', message: 'must have at most 65536 bytes' }],
    ],
  ];
  for (const [what, body, errors] of faults) {
    it(`a batch with ${what} is refused, and nothing runs`, async () => {
      const path = batches(randomUUID());
      const answer = await scene.caller.post(path, Array.isArray(body) ? JSON.stringify(body) : body, {
        'Content-Type': 'application/json',
      });
      expectProblem(answer, 'validation_failed', {
        instance: path,
        errors: errors.map((error) => ({ in: 'body', ...error })) as never,
      });
    });
  }

  it('a body that is no JSON, too large or of another type is refused', async () => {
    const path = batches(randomUUID());
    const post = (body: string, type = 'application/json') => scene.caller.post(path, body, { 'Content-Type': type });
    for (const text of ['', '{"items":[{"fact":{}}', '{"items":[{"fact":{}}],"items":[{"fact":{}}]}', 'items']) {
      expectProblem(await post(text), 'malformed_json', { instance: path });
    }
    expectProblem(await post(' '.repeat(262_145)), 'body_too_large', { instance: path });
    const detail = 'The body must be `application/json`, `application/x-ndjson`, or a spreadsheet.';
    expectProblem(await post('{}', 'text/plain'), 'unsupported_media_type', { instance: path, detail });
  });

  it('a body may be larger than that of a single execution, and compressed', async () => {
    const { path } = await deployed('large.json', doubling(1));
    const items = Array.from({ length: 4 }, (_, x) => ({ fact: { x, more: 'é'.repeat(20_000) } }));
    const answer = await scene.caller.post(path, gzipSync(JSON.stringify({ items })), {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body).to.deep.include({ completed: 4, failed: 0 });
  });

  it('a batch says what is absent: environment, then decision, then routing', async () => {
    const decisionId = await scene.decision('undeployed.json', endless());
    const cases = [
      [batches(randomUUID(), randomUUID()), 'environment_not_found'],
      [batches(randomUUID()), 'decision_not_found'],
      [batches(decisionId), 'routing_not_found'],
    ] as const;
    for (const [instance, code] of cases) {
      expectProblem(await scene.caller.post(instance, { items: [{ fact: {} }] }), code, { instance });
    }
  });
});
