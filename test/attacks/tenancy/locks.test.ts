import { expect } from 'chai';
import type { Knex } from 'knex';
import { pruneHistory } from '../../../src/runs/prune.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { bodyOf } from '../../support/asserts.js';
import { eventually } from '../../support/eventually.js';
import { testActor } from '../../support/factories.js';
import { call, type Answer } from '../../support/http.js';
import { plans } from '../../support/operations/plans.js';
import type { World } from '../../support/operations/world.js';
import { Matrix } from './matrix.js';

/** Locks every row of a world, until the transaction ends, in every table. Resolves with how many tables had some. */
async function lockAll(transaction: Knex.Transaction, { workspaceId, tenantId }: World): Promise<number> {
  const columns = (await transaction('information_schema.columns')
    .select({ table: 'table_name', column: 'column_name' })
    .whereRaw('table_schema = DATABASE()')
    .where(
      (named) =>
        void named
          .whereIn('column_name', ['workspace_id', 'tenant_id'])
          .orWhere({ table_name: 'tenants', column_name: 'id' })
          .orWhere({ table_name: 'workspaces', column_name: 'id' }),
    )
    .orderBy(['table_name', 'column_name'])) as { table: string; column: string }[];
  const locked = new Set<string>();
  for (const { table, column } of columns) {
    const isTenant = column === 'tenant_id' || table === 'tenants';
    const rows = (await transaction(table)
      .select(column)
      .where(column, idToBytes(isTenant ? tenantId : workspaceId))
      .forUpdate()) as unknown[];
    if (rows.length > 0) locked.add(table);
  }
  return locked.size;
}

/** Writes that plans only ask for where they are refused, or whose work is done later. */
const lives: Readonly<Record<string, (world: World, matrix: Matrix) => Promise<unknown>>> = {
  async 'an environment with a variable and a deployment is made and removed'({ caller, decisionId }) {
    const { id: environmentId } = bodyOf(await caller.post('/logic/environments', { name: 'x' }), 201) as {
      id: string;
    };
    await caller.put(`/logic/environments/${environmentId}/variables/A`, { value: 1 });
    await caller.put(`/logic/environments/${environmentId}/variables/A`, { value: 2 });
    const deployment = { decisionId, environmentId, version: 1, name: 'x', deployedBy: 'x' };
    const { id } = bodyOf(await caller.post('/logic/deployments', deployment), 201) as { id: string };
    expect((await caller.patch(`/logic/deployments/${id}`, { name: 'y' })).status).to.equal(200);
    expect((await caller.delete(`/logic/environments/${environmentId}/variables/A`)).status).to.equal(204);
    expect((await caller.delete(`/logic/deployments/${id}`)).status).to.equal(204);
    expect((await caller.delete(`/logic/environments/${environmentId}`)).status).to.equal(204);
  },
  async 'a decision with versions is made, renamed and removed'({ caller }) {
    const content = { nodes: [{ id: 'i', type: 'inputNode', name: 'i' }], edges: [] };
    const { id } = bodyOf(await caller.post('/logic/decisions', { key: 'gone.json', content }), 201) as { id: string };
    await caller.post(`/logic/decisions/${id}/versions`, {});
    expect((await caller.patch(`/logic/decisions/${id}`, { key: 'went.json' })).status).to.equal(200);
    expect((await caller.delete(`/logic/decisions/${id}`)).status).to.equal(204);
  },
  async 'executions are erased'({ caller, environmentId, decisionId }) {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const headers = { 'Idempotency-Key': 'to-be-erased' };
    const { id } = bodyOf(await caller.post(path, { fact: { x: 1 } }, headers), 201) as { id: string };
    const asked = await caller.post('/logic/erasures', { executionIds: [id] });
    const { id: erasureId } = bodyOf(asked, 202) as { id: string };
    await eventually(
      async () => ((await caller.get(`/logic/erasures/${erasureId}`)).body as { completedAt: unknown }).completedAt,
    );
  },
  async 'an inquiry is made, completed and removed'({ client: { id, secret } }, { app }) {
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const ask = (method: string, path: string, body?: object): Promise<Answer> =>
      call(`${app.baseUrl}/fuse/v2/inquiries${path}`, { method, headers: { Authorization: authorization }, body });
    const message = { type: 'EMAIL', to: 'a@example.com', message: 'x' };
    const prerequisites = [{ type: 'CONSENT', url: 'https://x.example/1' }];
    const made = bodyOf(await ask('POST', '', { personId: 'p', prerequisites, notifications: [message] }), 201);
    const { id: inquiryId, prerequisites: some } = made as { id: string; prerequisites: { id: string }[] };
    bodyOf(await ask('PATCH', `/${inquiryId}/prerequisites/${some[0]?.id ?? ''}`, { completed: true }), 200);
    bodyOf(await ask('PATCH', `/${inquiryId}`, { notifications: [message, message] }), 200);
    bodyOf(await ask('POST', `/${inquiryId}/completion`, {}), 200);
    expect((await ask('DELETE', `/${inquiryId}`)).status).to.equal(204);
  },
  async 'old executions are removed'({ workspaceId }, { store: { database } }) {
    const before = new Date();
    await pruneHistory({ database, actor: testActor }, { before, workspaceId }, () => undefined);
  },
};

describe('while every row of a tenant is locked', () => {
  let matrix: Matrix;
  let lock: Knex.Transaction;
  before(async () => {
    matrix = await Matrix.open({ TEST_PATIENCE: '1' });
    lock = await matrix.store.database.transaction();
    expect(await lockAll(lock, matrix.stranger)).to.be.at.least(25);
  });
  // MySQL ends connections that are silent for long, and their locks.
  beforeEach(() => lock.raw('SELECT 1'));
  after(async () => {
    await lock.rollback();
    await matrix.close();
  });

  for (const [id, { own }] of Object.entries(plans))
    it(`another one does not wait for it: ${id}`, async () => {
      const as = { authorization: `Bearer ${matrix.mine.token}`, workspaceId: matrix.mine.workspaceId };
      const answer = await matrix.ask(matrix.operation(id), own(matrix.mine), as);
      expect(answer.status, answer.text).to.be.below(500);
    });

  for (const [title, live] of Object.entries(lives))
    it(`another one does not wait for it: ${title}`, () => live(matrix.mine, matrix));
});
