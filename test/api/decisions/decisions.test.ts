import { expect } from 'chai';
import type { Decision } from '../../../src/decisions/routes/decisions.schema.js';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem, timestamp, uuidV7 } from '../../support/asserts.js';
import { call, type Answer } from '../../support/http.js';
import { calling, deciding, doubling, expressing, type Model } from '../../support/models.js';
import { documentOf, logicHeaders, testDatabase, useFreshScene } from '../../support/scene.js';

const path = '/logic/decisions';
const broken = expressing({ y: 'x +' });

describe('decisions over HTTP', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const post = (key: string, content: Model, query = ''): Promise<Answer> =>
    scene.caller.post(path + query, { key, content });
  const made = async (key: string, content: Model = doubling(2), query = ''): Promise<Decision> =>
    bodyOf(await post(key, content, query), 201) as Decision;
  const present = async (id: string): Promise<Decision> => (await scene.caller.get(`${path}/${id}`)).body as Decision;
  const rows = (): Promise<unknown> =>
    testDatabase()('decisions').where('workspace_id', Buffer.from(scene.workspaceId.replaceAll('-', ''), 'hex'));

  it('POST makes one: 201, the whole resource, an ETag', async () => {
    const answer = await post('support/shelter.json', doubling(2));
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.headers.etag).to.equal('"1"');
    const body = answer.body as Decision;
    expect(body).to.deep.equal({
      id: body.id,
      workspaceId: scene.workspaceId,
      key: 'support/shelter.json',
      latestVersion: null,
      contentHash: documentOf(doubling(2)).hash,
      faults: 0,
      warnings: 0,
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    });
    expect(body.id).to.match(uuidV7);
    expect(body.createdAt).to.match(timestamp);
    const read = await scene.caller.get(`${path}/${body.id}`);
    expect([read.status, read.body, read.headers.etag]).to.deep.equal([200, body, '"1"']);
  });

  it('what was written runs at once, by the process that wrote it', async () => {
    const { id } = await made('a.json', doubling(2));
    const run = async (version: number): Promise<unknown> => {
      const { body } = await scene.caller.post(`${path}/${id}/evaluations`, { version, fact: { x: 3 } });
      return (body as { result: unknown }).result;
    };
    expect(await run(0)).to.deep.equal({ y: 6 });
    await scene.caller.patch(`${path}/${id}`, { content: doubling(5) });
    expect(await run(0)).to.deep.equal({ y: 15 });
    await scene.caller.post(`${path}/${id}/versions`, {});
    expect(await run(1)).to.deep.equal({ y: 15 });
    expect((await scene.caller.delete(`${path}/${id}`)).status).to.equal(204);
    for (const version of [0, 1]) {
      const gone = await scene.caller.post(`${path}/${id}/evaluations`, { version, fact: { x: 3 } });
      expectProblem(gone, 'decision_not_found', { instance: `${path}/${id}/evaluations` });
    }
  });

  it('content with errors is refused with every fault, and nothing is stored; ?force=true keeps it', async () => {
    const refused = await post('broken.json', broken);
    const { faults } = refused.body as { faults: object[] };
    expectProblem(refused, 'model_has_faults', {
      instance: path,
      detail: 'The model has errors. Nothing was stored.',
      extensions: { faults },
    });
    expect(faults).to.have.length(1);
    expect(faults[0]).to.deep.include({
      severity: 'error',
      key: 'broken.json',
      nodeId: 'calc',
      node: 'Calculation',
      pointer: '/nodes/1/content/expressions/0/value',
      line: 1,
      excerpt: 'x +',
    });
    expect(await rows()).to.deep.equal([]);
    const kept = await made('broken.json', broken, '?force=true');
    expect([kept.faults, kept.warnings]).to.deep.equal([1, 0]);
    expectProblem(await scene.caller.patch(`${path}/${kept.id}`, { content: broken }), 'model_has_faults', {
      instance: `${path}/${kept.id}`,
      extensions: { faults },
    });
    const healed = await scene.caller.patch(`${path}/${kept.id}`, { content: doubling(2) });
    expect([healed.status, (healed.body as Decision).faults, healed.headers.etag]).to.deep.equal([200, 0, '"2"']);
  });

  it('warnings are counted and refuse nothing', async () => {
    const model = doubling(2) as { nodes: object[]; edges: object[] };
    const lost = { id: 'lost', type: 'expressionNode', name: 'Lost', content: { expressions: [] } };
    const { faults, warnings } = await made('odd.json', { ...model, nodes: [...model.nodes, lost] });
    expect([faults, warnings]).to.deep.equal([0, 1]);
  });

  it('keeps every digit of a number in a model', async () => {
    const text = JSON.stringify(doubling(2)).replace('"nodes":', '"amount":12345678901234567890.5,"nodes":');
    const answer = await scene.caller.post(path, `{"key":"long.json","content":${text}}`, {
      'Content-Type': 'application/json',
    });
    expect(answer.status, answer.text).to.equal(201);
    const read = await scene.caller.get(`${path}/${(answer.body as Decision).id}/versions/0`);
    expect(read.text).to.include(`"content":${text}`);
  });

  it('a key is of one decision: 409 key_taken, however its characters are written', async () => {
    const { id } = await made('Köln.json');
    const detail = `Decision ${id} has the key "Köln.json" already.`;
    for (const key of ['Köln.json', 'Ko\u0308ln.json']) {
      expectProblem(await post(key, doubling(3)), 'key_taken', { instance: path, detail });
    }
    const other = await made('other.json');
    expectProblem(await scene.caller.patch(`${path}/${other.id}`, { key: 'Köln.json' }), 'key_taken', {
      instance: `${path}/${other.id}`,
      detail,
    });
    expect((await scene.caller.patch(`${path}/${id}`, { key: 'Ko\u0308ln.json' })).body).to.deep.equal(
      await present(id),
    );
    expect(await present(id)).to.include({ key: 'Köln.json' });
  });

  it('takes a model of 3,000 rows, whose numbers keep their digits', async () => {
    const rules = Array.from({ length: 3000 }, (_, n) => ({ _id: `r${n}`, age: `> ${n}`, size: '', fee: `${n} * 2` }));
    const answer = await scene.caller.post(path, { key: 'large.json', content: deciding(rules) });
    expect(answer.status, answer.text).to.equal(201);
    const { id } = answer.body as Decision;
    const longer = JSON.stringify({ content: deciding(rules.slice(1)) }).replace(
      '"nodes"',
      '"n":0.10000000000000000001,"nodes"',
    );
    const changed = await call(`${app.baseUrl}${path}/${id}`, {
      method: 'PATCH',
      headers: { ...logicHeaders(scene), 'Content-Type': 'application/json' },
      body: longer,
    });
    expect(changed.status, changed.text).to.equal(200);
    expect((await scene.caller.get(`${path}/${id}/versions/0`)).text).to.include('"n":0.10000000000000000001');
    const wrong = await scene.caller.post(path, { key: '../x', content: deciding(rules), more: 1 });
    expect((wrong.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)).to.deep.equal([
      '/more',
      '/key',
    ]);
  });

  it('PATCH changes what is named, under a new ETag, and honours If-Match', async () => {
    const before = await made('a.json');
    const answer = await scene.caller.patch(`${path}/${before.id}`, { key: 'b.json' }, { 'If-Match': '"1"' });
    expect([answer.status, answer.headers.etag]).to.deep.equal([200, '"2"']);
    const after = answer.body as Decision;
    expect(after).to.deep.equal({ ...before, key: 'b.json', updatedAt: after.updatedAt });
    expect(await present(before.id)).to.deep.equal(after);
    const same = await scene.caller.patch(`${path}/${before.id}`, { key: 'b.json', content: doubling(2) });
    expect([same.headers.etag, same.body]).to.deep.equal(['"2"', after]);
  });

  it('a key that comes, changes or goes is counted in the faults of those that name it', async () => {
    const user = await made('shop/user.json', calling('./rates.json'), '?force=true');
    expect(user.faults).to.equal(1);
    const rates = await made('shop/rates.json');
    expect((await present(user.id)).faults).to.equal(0);
    await scene.caller.patch(`${path}/${rates.id}`, { key: 'shop/prices.json' });
    expect((await present(user.id)).faults).to.equal(1);
    await scene.caller.patch(`${path}/${rates.id}`, { key: 'shop/rates' });
    expect((await present(user.id)).faults).to.equal(1);
    await scene.caller.patch(`${path}/${rates.id}`, { key: 'shop/rates.json' });
    expect((await present(user.id)).faults).to.equal(0);
    await scene.caller.patch(`${path}/${user.id}`, { key: 'office/user.json' });
    expect((await present(user.id)).faults, 'names are relative').to.equal(1);
  });

  it('DELETE removes it with its versions, again and again: 204', async () => {
    const { id } = await made('a.json');
    await scene.caller.post(`${path}/${id}/versions`, {});
    await scene.caller.post(`${path}/${id}/evaluations`, { version: 1, fact: { x: 1 } });
    for (const headers of [{ 'If-Match': '"2"' }, { 'If-Match': '"2"' }, {}]) {
      const answer = await scene.caller.delete(`${path}/${id}`, headers);
      expect([answer.status, answer.text]).to.deep.equal([204, '']);
    }
    expectProblem(await scene.caller.get(`${path}/${id}`), 'decision_not_found', { instance: `${path}/${id}` });
    const versions = await scene.caller.get(`${path}/${id}/versions/1`);
    expectProblem(versions, 'decision_not_found', { instance: `${path}/${id}/versions/1` });
    expect(await rows()).to.deep.equal([]);
    await made('a.json');
  });

  it('every write is told in the audit trail, with the states before and after, and no content', async () => {
    const first = await made('a.json');
    const { body: second } = await scene.caller.patch(`${path}/${first.id}`, { key: 'b.json' });
    const { body: version } = await scene.caller.post(`${path}/${first.id}/versions`, { message: 'M' });
    const third = await present(first.id);
    await scene.caller.delete(`${path}/${first.id}`);
    const entries = (await testDatabase()('audit_entries')
      .where('workspace_id', Buffer.from(scene.workspaceId.replaceAll('-', ''), 'hex'))
      .whereIn('resource_type', ['decision', 'version'])
      .orderBy('id')) as Record<string, string | Buffer | null>[];
    const state = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);
    expect(
      entries.map((row) => [row.action, row.resource_key, state(row.before_state), state(row.after_state)]),
    ).to.deep.equal([
      ['decision.create', 'a.json', null, first],
      ['decision.update', 'b.json', first, second],
      ['version.create', 'b.json', null, version],
      ['decision.delete', 'b.json', third, null],
    ]);
    for (const row of entries) {
      expect(row.principal).to.equal(`client:${scene.client.id}`);
      expect(row.request_id).to.be.instanceOf(Buffer);
      expect(row.resource_id).to.equal(first.id);
    }
  });
});
