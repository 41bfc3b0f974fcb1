import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { parseCheckpoint } from '../../src/evidence/checkpoint.js';
import { rootOfPath } from '../../src/evidence/paths.js';
import { leafHash } from '../../src/evidence/tree.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { bodyOf, expectProblem } from '../support/asserts.js';
import { verdict } from '../support/cli.js';
import { eventually } from '../support/eventually.js';
import { rowsWith } from '../support/markers.js';
import { expressing } from '../support/models.js';
import { replayed, ReplayStage, type ShownReplay } from '../support/replays.js';
import { testDatabase } from '../support/scene.js';

interface Proof {
  readonly record: string;
  readonly salt: string;
  readonly index: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
}

const decision = "x > 2 ? 'granted' : 'refused'";

describe('an erasure', () => {
  const stage = new ReplayStage();
  let marker: string;
  let number: number;
  beforeEach(async () => {
    marker = `Marker ${randomUUID()}`;
    number = 10_000_000 + Math.floor(Math.random() * 80_000_000) + 0.625;
    await stage.deployed(expressing({ decision, name: 'name', amount: 'amount', sum: 'x + 1' }));
  });

  const get = (path: string) => stage.scene.caller.get(path);
  const executionsPath = (): string => `/logic/${stage.environmentId}/decisions/${stage.decisionId}/executions`;
  const fact = (x: unknown): object => ({ x, name: marker, amount: number });

  async function erase(body: object): Promise<string> {
    return (bodyOf(await stage.scene.caller.post('/logic/erasures', body), 202) as { id: string }).id;
  }

  /** All erasures of the workspace. */
  async function completed(): Promise<void> {
    await eventually(async () => {
      const { data } = (await get('/logic/erasures')).body as { data: { status: string }[] };
      return data.every(({ status }) => status === 'COMPLETED');
    });
  }

  async function erased(ids: readonly string[]): Promise<void> {
    await eventually(async () => {
      const found = await Promise.all(ids.map((id) => get(`/logic/executions/${id}`)));
      return found.every(({ body }) => (body as { erased?: boolean }).erased === true);
    });
  }

  async function proofOf(id: string): Promise<Proof> {
    const answer = await eventually(async () => {
      const found = await get(`/logic/executions/${id}/proof`);
      return found.status === 200 ? found : undefined;
    });
    return answer.body as Proof;
  }

  function expectHolds({ record, salt, index, path, checkpoint }: Proof): void {
    const head = parseCheckpoint(checkpoint);
    const leaf = leafHash(Buffer.from(salt, 'base64'), record);
    const root = rootOfPath(
      leaf,
      index,
      head.size,
      path.map((hash) => Buffer.from(hash, 'base64')),
    );
    expect(root).to.deep.equal(head.root);
  }

  it('leaves nothing of a fact or result in any table, log or answer, and all other proofs hold', async () => {
    const { caller } = stage.scene;
    await caller.put(`/logic/decisions/${stage.decisionId}/measured`, {
      pointers: ['/name', '/amount', '/decision'],
    });
    const other = await stage.execute({ x: 5, name: 'somebody else', amount: 5 });
    await stage.next(expressing({ decision: "'refused'", name: "name + '!'", amount: 'amount * 2', sum: 'x + 1' }));
    const references = { decisionId: stage.decisionId, environmentId: stage.environmentId };
    const aggregates = ['sum', 'mean', 'min', 'max'];
    const measures = aggregates.map((name) => ({ name, expression: 'fact.amount', aggregate: name }));
    const outcomes = { outcomes: ['fraud'], result: { pointer: '/name', equals: 'x' }, measures };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const shadow = await caller.post('/logic/shadows', {
      ...references,
      version: 2,
      sample: 1,
      expiresAt,
      ...outcomes,
    });
    expect(shadow.status, shadow.text).to.equal(201);
    await stage.scene.settled();
    await stage.scene.settled();
    const reference = 'order-4711';
    const told = [{ reference, name: 'fraud', value: marker }];
    expect((await caller.put('/logic/outcomes', { outcomes: told })).status).to.equal(200);
    const keyed = { 'Idempotency-Key': randomUUID(), 'Execution-Reference': reference };
    const first = await stage.execute(fact(3), keyed);
    const failed = await stage.execute(fact('a'), { 'Execution-Reference': reference });
    const batchKey = { 'Idempotency-Key': randomUUID(), 'Execution-Reference': reference };
    const batchPath = `/logic/${stage.environmentId}/decisions/${stage.decisionId}/batches`;
    const items = [{ key: 'a', fact: fact(1) }];
    const batch = await caller.post(batchPath, { items }, batchKey);
    const [{ id: inBatch }] = (batch.body as { items: [{ id: string }] }).items;
    expect(await rowsWith(testDatabase(), marker)).to.have.property('executions');
    const replay = await replayed(caller, stage.request(outcomes));
    expect(JSON.stringify(replay.report)).to.not.include(marker);
    await eventually(async () => 'measures' in (await rowsWith(testDatabase(), marker)));

    await erase({ executionIds: [first.id, failed.id, inBatch] });
    await erase({ reference });
    await erased([first.id, failed.id, inBatch]);
    await completed();

    for (const text of [marker, String(number)]) expect(await rowsWith(testDatabase(), text), text).to.deep.equal({});
    expect(stage.app.log()).to.not.include(marker);
    for (const path of [
      '/logic/executions',
      `/logic/executions/${first.id}`,
      `/logic/executions/${failed.id}/explanation`,
      `/logic/replays/${replay.id}`,
      `/logic/replays/${replay.id}/differences`,
      `/logic/shadows/${(shadow.body as { id: string }).id}`,
      `/logic/measures?decisionId=${stage.decisionId}&pointer=/name`,
      '/logic/audit-entries?size=100',
    ]) {
      const { status, text } = await get(path);
      expect([status, text.includes(marker)], path).to.deep.equal([200, false]);
    }
    const repeated = await caller.post(executionsPath(), { fact: fact(3) }, keyed);
    expectProblem(repeated, 'record_erased', { instance: executionsPath() });
    const again = await caller.post(batchPath, { items }, batchKey);
    expect((again.body as { items: object[] }).items[0]).to.deep.include({ code: 'record_erased', id: null });
    expectHolds(await proofOf(other.id));
    expect((await get(`/logic/executions/${other.id}/explanation`)).body).to.deep.include({ exact: true, reasons: [] });
    const counted = (await get(`/logic/measures?decisionId=${stage.decisionId}&pointer=/name&step=day`)).body as {
      data: { count: number; field: { values: object[]; others: number; absent: number } }[];
    };
    expect(counted.data[0]).to.deep.include({ count: 4, failed: 1 });
    expect(counted.data[0]!.field).to.deep.include({ others: 0, absent: 2 });
    expect(counted.data[0]!.field.values).to.deep.equal([{ value: 'somebody else', count: 1 }]);
    const left = (await get(`/logic/replays/${replay.id}`)).body as ShownReplay;
    expect(left.report).to.deep.include({ replayed: 4, changed: 3 });
    const forgotten = measures.map(({ name }) => ({ name, before: null, after: null, erased: 3 }));
    expect(left.report.measures).to.deep.equal(forgotten);
  });

  it('is told in the history, the explanation, the proof and the audit trail, but not of whom it was', async () => {
    const { id } = await stage.execute(fact(3), { 'Execution-Reference': 'order-4712' });
    await proofOf(id);
    const path = `/logic/executions/${id}`;
    const before = await get(path);
    expect(before.body).to.not.have.property('erased');
    const erasure = await erase({ reference: 'order-4712' });
    await erased([id]);
    const after = await get(path);
    const told = before.body as object;
    expect(after.body).to.deep.equal({ ...told, fact: null, result: null, error: null, trace: null, erased: true });
    expect(after.headers['etag']).to.not.equal(before.headers['etag']);
    expect((await get('/logic/executions')).body).to.have.nested.property('data[0].erased', true);
    expect((await get(`${path}/explanation`)).body).to.deep.equal({
      ...{ executionId: id, exact: false, reasons: ['erased'], result: null, trace: null },
    });
    expectProblem(await get(`${path}/proof`), 'record_erased', { instance: `${path}/proof` });
    const { body } = await get('/logic/audit-entries?order=desc&size=2');
    const principal = `client:${stage.scene.client.id}`;
    const entries = (body as { data: Record<string, unknown>[] }).data.map(({ id: _, at: __, ...entry }) => entry);
    const shared = { workspaceId: stage.scene.workspaceId, principal, before: null, after: null };
    const [{ requestId } = { requestId: null }] = entries;
    expect(entries).to.deep.equal([
      { ...shared, requestId, action: 'execution.erase', resource: { type: 'execution', id } },
      { ...shared, requestId, action: 'erasure.create', resource: { type: 'erasure', id: erasure } },
    ]);
  });

  it('leaves a record that nobody takes away without a check of evidence telling it', async () => {
    const { id } = await stage.execute(fact(3));
    await erase({ executionIds: [id] });
    await completed();
    await testDatabase()('executions').where('id', idToBytes(id)).delete();
    const ran = await verdict('evidence', 'check', '--workspace', stage.scene.workspaceId, '--json');
    const { findings } = ran.json as { findings: { kind: string; id: string | null }[] };
    expect(findings.filter((finding) => finding.id === id).map(({ kind }) => kind)).to.deep.equal(['removed']);
  });

  it('of what is not there, or was erased before, changes nothing', async () => {
    const { id } = await stage.execute(fact(3));
    await erase({ executionIds: [id, randomUUID()] });
    await erased([id]);
    await erase({ executionIds: [id.toUpperCase()] });
    await erase({ reference: 'nobody' });
    await completed();
    const { body } = await get('/logic/audit-entries?action=execution.erase');
    expect((body as { data: object[] }).data).to.have.length(1);
  });

  it('is told by a receipt: how far, how many, when done, by whom, never of whom', async () => {
    const reference = `customer-${randomUUID()}`;
    const made = [await stage.execute(fact(3)), await stage.execute(fact(4))];
    const third = await stage.scene.caller.post(
      executionsPath(),
      { fact: fact(5) },
      { 'Execution-Reference': reference },
    );
    const ids = [...made.map(({ id }) => id), (third.body as { id: string }).id];
    const named = await stage.scene.caller.post('/logic/erasures', { executionIds: [ids[0], ids[1], randomUUID()] });
    const { id } = named.body as { id: string };
    const path = `/logic/erasures/${id}`;
    expect(named.headers['location']).to.equal(path);
    const principal = `client:${stage.scene.client.id}`;
    const common = { id, workspaceId: stage.scene.workspaceId, requested: 3, principal };
    expect(named.body).to.include({ ...common, status: 'RUNNING', erased: 0, completedAt: null });
    const byReference = await erase({ reference });
    await completed();
    const { body } = await get(path);
    expect(body).to.include({ ...common, status: 'COMPLETED', erased: 2 });
    const { createdAt, completedAt } = body as { createdAt: string; completedAt: string };
    expect(completedAt > createdAt).to.equal(true);
    const other = await get(`/logic/erasures/${byReference}`);
    expect(other.body).to.include({ requested: null, erased: 1, status: 'COMPLETED' });
    const told = (await get('/logic/erasures')).text + other.text + named.text;
    for (const secret of [reference, marker, ...ids]) expect(told).to.not.include(secret);
    const kept = await testDatabase()('erasures').whereNotNull('reference').whereNotNull('completed_at').select('id');
    expect(kept).to.deep.equal([]);
    expectProblem(await get(`/logic/erasures/${ids[0]}`), 'erasure_not_found', {
      instance: `/logic/erasures/${ids[0]}`,
    });
  });

  it('of what many executions held hides it once fewer than five are left, one after the other or together', async () => {
    await stage.next(expressing({ decision: 'upper(name)', name: "name + '!'", amount: 'amount', sum: 'x + 1' }));
    for (const isTogether of [true, false]) {
      marker = `Marker ${randomUUID()}`;
      const ids: string[] = [];
      for (let made = 0; made < 6; made++) ids.push((await stage.execute(fact(3))).id);
      await stage.scene.settled();
      const replay = await replayed(stage.scene.caller, stage.request({}));
      const shown = async (): Promise<string> => (await get(`/logic/replays/${replay.id}`)).text;
      expect(await shown())
        .to.include(marker)
        .and.to.include(marker.toUpperCase());
      const groups = isTogether ? [ids] : ids.map((id) => [id]);
      for (const executionIds of groups) {
        await erase({ executionIds });
        await erased(executionIds);
      }
      expect(await shown())
        .to.not.include(marker)
        .and.to.not.include(marker.toUpperCase());
      for (const text of [marker, marker.toUpperCase()])
        await eventually(async () => Object.keys(await rowsWith(testDatabase(), text)).length === 0);
    }
  });

  it('is refused where those of a hundred thousand executions wait for the tenant, in whichever workspace', async () => {
    const of = await testDatabase()('workspaces')
      .where('id', idToBytes(stage.scene.workspaceId))
      .first<{ tenant_id: Buffer }>('tenant_id');
    const workspaceId = idToBytes(newId());
    const created_at = new Date();
    await testDatabase()('workspaces').insert({ ...of, id: workspaceId, name: 'W', created_at });
    const owner = { workspace_id: workspaceId, principal: 'client:x', weight: 1000, created_at };
    const rows = Array.from({ length: 100 }, () => ({ ...owner, id: idToBytes(newId()), reference: 'r' }));
    await testDatabase()('erasures').insert(rows);
    const answer = await stage.scene.caller.post('/logic/erasures', { reference: 'a' });
    expectProblem(answer, 'too_many_requests', { instance: '/logic/erasures' });
    expect(answer.headers['retry-after']).to.equal('15');
    await testDatabase()('erasures').where('workspace_id', workspaceId).delete();
    await testDatabase()('workspaces').where('id', workspaceId).delete();
    await erase({ reference: 'a' });
  });

  it('is refused to all but one of those that come together where there is room for one', async () => {
    const workspace_id = idToBytes(stage.scene.workspaceId);
    const owner = { workspace_id, principal: 'client:x', weight: 99_900, created_at: new Date(), reference: 'r' };
    await testDatabase()('erasures').insert({ ...owner, id: idToBytes(newId()) });
    const ask = (n: number) => stage.scene.caller.post('/logic/erasures', { reference: `together-${n}` });
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(ask));
    await testDatabase()('erasures').where({ workspace_id, weight: 99_900 }).delete();
    expect(answers.filter(({ status }) => status === 202)).to.have.length(1);
  });

  it('is of either a reference or executions', async () => {
    for (const body of [{}, { reference: 'a', executionIds: [randomUUID()] }]) {
      const answer = await stage.scene.caller.post('/logic/erasures', body);
      expect([answer.status, (answer.body as { code: string }).code]).to.deep.equal([400, 'validation_failed']);
    }
  });
});
