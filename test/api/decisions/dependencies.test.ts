import { expect } from 'chai';
import type { Decision } from '../../../src/decisions/routes/decisions.schema.js';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import type { Answer } from '../../support/http.js';
import { type Model, calling, doubling } from '../../support/models.js';
import { documentOf, useFreshScene } from '../../support/scene.js';

const path = '/logic/decisions';
const factorChanged = (before: number, after: number): object => ({
  id: 'calc',
  name: 'Calculation',
  type: 'expressionNode',
  change: 'changed',
  position: { from: 1, to: 1 },
  fields: [{ pointer: '/content/expressions/0/value', before: `x * ${before}`, after: `x * ${after}` }],
});

describe('the decisions that a version runs', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let rates: string;
  let fees: string;
  let all: string;
  beforeEach(async () => {
    rates = await made('shop/rates.json', doubling(2));
    fees = await made('shop/fees.json', calling('rates.json'));
    all = await made('shop/all.json', calling('./fees.json'));
  });

  const made = async (key: string, content: Model): Promise<string> =>
    (bodyOf(await scene.caller.post(path, { key, content }), 201) as Decision).id;
  const write = async (id: string, content: Model, more: object = {}): Promise<void> =>
    void bodyOf(await scene.caller.patch(`${path}/${id}`, { content, ...more }));
  const save = async (id: string): Promise<void> =>
    void bodyOf(await scene.caller.post(`${path}/${id}/versions`, {}), 201);
  const at = (version: number, dependency: string): string =>
    `${path}/${all}/versions/${version}/dependencies/${dependency}`;
  const differences = (from: number, to: number, dependency?: string): Promise<Answer> =>
    scene.caller.get(
      `${path}/${all}/versions/${from}/differences/${to}${dependency === undefined ? '' : `?dependency=${dependency}`}`,
    );
  const hashOf = (model: Model): string => documentOf(model).hash;

  it('are read as the version runs them, whatever became of them since, and of the working copy as they are', async () => {
    await save(all);
    await write(rates, doubling(7), { key: 'shop/prices.json' });
    await write(fees, calling('prices.json'));
    const read = await scene.caller.get(at(1, rates));
    expect(bodyOf(read)).to.deep.equal({
      key: 'shop/rates.json',
      decisionId: rates,
      contentHash: hashOf(doubling(2)),
      content: doubling(2),
    });
    const now = await scene.caller.get(at(0, rates));
    expect(bodyOf(now)).to.deep.equal({
      key: 'shop/prices.json',
      decisionId: rates,
      contentHash: hashOf(doubling(7)),
      content: doubling(7),
    });
    expect(now.headers.etag).to.not.equal(read.headers.etag);
    const known = { 'If-None-Match': String(read.headers.etag) };
    expect((await scene.caller.get(at(1, rates), known)).status).to.equal(304);
  });

  it('are those that it reaches, and no other decision', async () => {
    const other = await made('shop/other.json', doubling(2));
    await save(all);
    for (const id of [other, all]) {
      expectProblem(await scene.caller.get(at(1, id)), 'decision_not_found', {
        instance: at(1, id),
        detail: `Version 1 runs no decision ${id}.`,
      });
    }
    expectProblem(await scene.caller.get(at(2, rates)), 'version_not_found', { instance: at(2, rates) });
  });

  it('are compared with a version: which are others, came or went, by their contents', async () => {
    await save(all);
    await write(rates, doubling(3));
    await save(all);
    const none = { nodes: [], edges: [], rows: [] };
    const changed = {
      key: 'shop/rates.json',
      decisionId: rates,
      change: 'changed',
      before: hashOf(doubling(2)),
      after: hashOf(doubling(3)),
    };
    expect(bodyOf(await differences(1, 2))).to.deep.equal({ from: 1, to: 2, ...none, dependencies: [changed] });
    expect(bodyOf(await differences(2, 0))).to.deep.equal({ from: 2, to: 0, ...none });
    await write(fees, doubling(5));
    const called = (bodyOf(await differences(2, 0)) as { dependencies: object[] }).dependencies;
    expect(called).to.deep.equal([
      {
        key: 'shop/fees.json',
        decisionId: fees,
        change: 'changed',
        before: hashOf(calling('rates.json')),
        after: hashOf(doubling(5)),
      },
      { ...changed, change: 'removed', before: hashOf(doubling(3)), after: null },
    ]);
    const back = (bodyOf(await differences(0, 2)) as { dependencies: object[] }).dependencies;
    expect(back[1]).to.deep.equal({ ...changed, change: 'added', before: null, after: hashOf(doubling(3)) });
  });

  it('are compared each by itself, as both versions run it', async () => {
    await save(all);
    await write(rates, doubling(3));
    await save(all);
    await write(rates, doubling(4));
    expect(bodyOf(await differences(1, 2, rates))).to.deep.equal({
      from: 1,
      to: 2,
      nodes: [factorChanged(2, 3)],
      edges: [],
      rows: [],
    });
    expectProblem(await differences(1, 2, all), 'decision_not_found', {
      instance: `${path}/${all}/versions/1/differences/2`,
      detail: `Version 1 runs no decision ${all}.`,
    });
  });
});
