import { expect } from 'chai';
import type { Decision, Version } from '../../../src/decisions/routes/decisions.schema.js';
import { limitRuns, useApp } from '../../support/app.js';
import { bodyOf, expectProblem, timestamp } from '../../support/asserts.js';
import type { Answer } from '../../support/http.js';
import { type Model, calling, deciding, doubling, expressing } from '../../support/models.js';
import { documentOf, useFreshScene, useScene } from '../../support/scene.js';
import { allowedMs } from '../../support/environment.js';
import { eventually } from '../../support/eventually.js';

const path = '/logic/decisions';

describe('versions over HTTP', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const made = async (key: string, content: Model, query = ''): Promise<Decision> =>
    bodyOf(await scene.caller.post(path + query, { key, content }), 201) as Decision;
  const save = (id: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    scene.caller.post(`${path}/${id}/versions`, body, headers);
  const saved = async (id: string, body: object = {}): Promise<Version> => bodyOf(await save(id, body), 201) as Version;

  it('POST saves the working copy: 201, the whole version, by whom', async () => {
    const { id, contentHash } = await made('a.json', doubling(2));
    const version = await saved(id, { message: 'First' });
    expect(version).to.deep.equal({
      decisionId: id,
      version: 1,
      contentHash,
      message: 'First',
      savedBy: `client:${scene.client.id}`,
      createdAt: version.createdAt,
    });
    expect(version.createdAt).to.match(timestamp);
    const { headers: tags } = await scene.caller.get(`${path}/${id}/versions/1`);
    const next = await save(id, { message: 'Second' });
    const { headers: nextTags } = await scene.caller.get(`${path}/${id}/versions/2`);
    expect(next.headers.etag).to.equal(nextTags.etag).and.not.equal(tags.etag);
    expect(await saved(id, { message: '' })).to.deep.include({ version: 3, message: null });
    const { body, headers } = await scene.caller.get(`${path}/${id}`);
    expect([(body as Decision).latestVersion, headers.etag]).to.deep.equal([3, '"4"']);
  });

  it("If-Match names the decision's state, and of two at once one is 412", async () => {
    const { id } = await made('a.json', doubling(2));
    const answers = await Promise.all([1, 2, 3].map(() => save(id, {}, { 'If-Match': '"1"' })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 412, 412]);
    expectProblem(await save(id, {}, { 'If-Match': '"1"' }), 'precondition_failed', {
      instance: `${path}/${id}/versions`,
    });
    const others = await Promise.all([1, 2, 3].map(() => saved(id)));
    expect(others.map(({ version }) => version).sort()).to.deep.equal([2, 3, 4]);
  });

  it('GET tells content and what it pins, as it was when it was saved', async () => {
    const rates = await made('shop/rates.json', doubling(2));
    const fees = await made('shop/fees.json', calling('rates.json'));
    const { id } = await made('shop/all.json', calling('./fees.json'));
    const version = await saved(id);
    const dependencies = [fees, rates].map(({ id: decisionId, key, contentHash }) => ({
      key,
      decisionId,
      contentHash,
    }));
    await scene.caller.patch(`${path}/${rates.id}`, { key: 'shop/rates', content: doubling(7) });
    const read = await scene.caller.get(`${path}/${id}/versions/1`);
    expect(read.status, read.text).to.equal(200);
    expect(read.body).to.deep.equal({ ...version, content: calling('./fees.json'), dependencies });

    const { body: decision } = await scene.caller.get(`${path}/${id}`);
    const now = await scene.caller.get(`${path}/${id}/versions/0`);
    expect(now.body).to.deep.equal({
      decisionId: id,
      version: 0,
      contentHash: documentOf(calling('./fees.json')).hash,
      message: null,
      savedBy: null,
      createdAt: (decision as Decision).updatedAt,
      content: calling('./fees.json'),
      // Since `shop/rates` has another key now, nobody is found under the name.
      dependencies: dependencies.slice(0, 1),
    });
    expect(now.headers.etag).to.not.equal(read.headers.etag);
  });

  it('one with errors, or which uses one, is not saved: 409 with every fault', async () => {
    const broken = await made('broken.json', expressing({ y: 'x +' }), '?force=true');
    const user = await made('user.json', calling('broken.json'));
    for (const id of [broken.id, user.id]) {
      const answer = await save(id);
      const body = answer.body as { faults: { key: string }[] };
      expect(answer.status, answer.text).to.equal(409);
      expect(body).to.deep.include({ code: 'model_has_faults', status: 409, title: 'The model has errors' });
      expect(body.faults.map(({ key }) => key)).to.deep.equal(['broken.json']);
    }
    expect((await scene.caller.get(`${path}/${user.id}/versions`)).body).to.deep.equal({
      data: [],
      page: { size: 0, total: 0, after: null, before: null },
    });
  });

  it('are listed by number, in pages both ways, without content', async () => {
    const { id } = await made('a.json', doubling(2));
    const versions: Version[] = [];
    for (const message of ['1', '2', '3']) versions.push(await saved(id, { message }));
    const list = async (query: string): Promise<{ data: Version[]; page: Record<string, unknown> }> =>
      (await scene.caller.get(`${path}/${id}/versions${query}`)).body as never;
    const first = await list('?size=2');
    expect(first.data).to.deep.equal(versions.slice(0, 2));
    expect(first.page).to.deep.include({ size: 2, total: 3 });
    expect((await list(`?after=${String(first.page.after)}`)).data).to.deep.equal(versions.slice(2));
    const last = await list(`?size=1&after=${String(first.page.after)}`);
    expect((await list(`?size=1&before=${String(last.page.before)}`)).data).to.deep.equal([versions[1]]);
    expect(await list(`?after=${String(last.page.after)}`)).to.deep.equal({
      data: [],
      page: { size: 0, total: 3, after: null, before: null },
    });
    const id16 = await scene.caller.get(`${path}/${id}/versions?after=${Buffer.alloc(16).toString('base64url')}`);
    expect(id16.status).to.equal(400);
  });

  it('are compared by ids', async () => {
    const { id } = await made('a.json', doubling(2));
    await saved(id);
    await scene.caller.patch(`${path}/${id}`, { content: doubling(3) });
    const answer = await scene.caller.get(`${path}/${id}/versions/1/differences/0`);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body).to.deep.equal({
      from: 1,
      to: 0,
      nodes: [
        {
          id: 'calc',
          name: 'Calculation',
          type: 'expressionNode',
          change: 'changed',
          position: { from: 1, to: 1 },
          fields: [{ pointer: '/content/expressions/0/value', before: 'x * 2', after: 'x * 3' }],
        },
      ],
      edges: [],
      rows: [],
    });
  });

  it('of a table of 3,000 rows are compared at once: one put in at the top is one row', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => ({ _id: `r${n}`, age: `> ${n}`, size: `"${n}"`, fee: `${n}` }));
    const { id } = await made('table.json', deciding(rows));
    await saved(id);
    await scene.caller.patch(`${path}/${id}`, { content: deciding([{ _id: 'new', age: '', fee: '1' }, ...rows]) });
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const started = performance.now();
      const { status, body } = await scene.caller.get(`${path}/${id}/versions/1/differences/0`);
      times.push(performance.now() - started);
      expect(status).to.equal(200);
      expect((body as { rows: object[] }).rows).to.deep.equal([
        {
          nodeId: 'table',
          ruleId: 'new',
          change: 'added',
          position: { from: null, to: 0 },
          cells: [
            { column: 'age', after: '' },
            { column: 'fee', after: '1' },
          ],
        },
      ]);
    }
    expect(Math.min(...times)).to.be.below(allowedMs(100));
  });
});

const longMs = 60_000;
/** No machine reads and checks the model below in it. */
const shortMs = 10;

/** An expression node of that many expressions, each another one. */
function expressions(count: number): Model {
  const list = Array.from({ length: count }, (_, n) => ({ id: `e${n}`, key: `k${n}`, value: `a + ${n} * (b + ${n})` }));
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', position: { x: 0, y: 0 } },
      { id: 'e', type: 'expressionNode', name: 'Sums', position: { x: 1, y: 0 }, content: { expressions: list } },
    ],
    edges: [{ id: '1', sourceId: 'in', targetId: 'e' }],
  };
}

describe('a check that a limit stops says nothing against the model', () => {
  // The limit is the next file's, too; where a file has a server of its own, that ends after this hook.
  after(() => limitRuns(app, longMs));
  const app = useApp();
  const scene = useScene(app);
  const large = expressions(8000);
  let made: Decision;

  before(async () => {
    await limitRuns(app, longMs);
    made = bodyOf(await scene.caller.post(path, { key: 'large.json', content: large }), 201) as Decision;
    await limitRuns(app, shortMs);
  });

  it('a version is made of what is stored', async () => {
    // Only the check takes long here; a thread that was ended has to be there again.
    let answer: Answer | undefined;
    await eventually(async () => {
      answer = await scene.caller.post(`${path}/${made.id}/versions`, {});
      return answer.status !== 503;
    });
    expect(answer?.status, answer?.text).to.equal(201);
  });
});
