import { expect } from 'chai';
import type { Knex } from 'knex';
import type { AuditAction } from '../../../src/audit/actions.js';
import { appendAuditEntries, listAuditEntries, type AuditEntry } from '../../../src/audit/audit.store.js';
import { countAuditEntries, pruneAuditEntries } from '../../../src/audit/prune.js';
import { newId } from '../../../src/storage/ids.js';
import { type Store, openScratchStore } from '../../support/factories.js';

describe('verdict audit prune', () => {
  let store: Store;
  let database: Knex;
  const [one, two, tenantId] = [newId(), newId(), newId()];
  beforeEach(async () => {
    store = await openScratchStore();
    ({ database } = store);
  });
  afterEach(() => store.close());

  const append = (
    count: number,
    workspaceId: string | null,
    action: AuditAction = 'environment.create',
  ): Promise<void> =>
    database.transaction((transaction) =>
      appendAuditEntries(
        transaction,
        Array.from({ length: count }, () => ({
          actor: store.actor,
          workspaceId,
          ...(workspaceId === null ? { tenantId } : {}),
          action,
          resource: { type: 'environment', id: newId() },
          before: null,
          after: {},
        })),
      ),
    );
  const list = async (workspaceId: string): Promise<AuditEntry[]> =>
    (await listAuditEntries(database, workspaceId, {}, { size: 5000, after: null, before: null })).data.map(
      ({ text }) => JSON.parse(text) as AuditEntry,
    );
  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

  it('deletes what is older than a moment, in pieces, and tells each workspace and tenant once', async () => {
    await append(1200, one);
    await append(3, null);
    await later();
    const before = new Date();
    await later();
    await append(2, two);
    expect(await countAuditEntries(database, before)).to.equal(1203);
    const steps: number[] = [];
    expect(await pruneAuditEntries(store, before, (rows) => steps.push(rows))).to.equal(1203);
    expect(steps).to.deep.equal([500, 500, 203]);
    const told = { action: 'audit_entry.prune', before: null, after: { before: before.toISOString() } };
    const [entry, ...more] = await list(one);
    expect(entry).to.deep.include({ ...told, workspaceId: one, resource: { type: 'audit_entry', id: one } });
    expect(entry).to.include({ principal: store.actor.principal, requestId: null });
    expect(more).to.deep.equal([]);
    expect((await list(two)).map(({ action }) => action)).to.deep.equal(['environment.create', 'environment.create']);
    const ofTenant: unknown[] = await database('audit_entries').whereNotNull('tenant_id').select('action');
    expect(ofTenant).to.deep.equal([{ action: 'audit_entry.prune' }]);
    expect(await pruneAuditEntries(store, before, () => undefined), 'again').to.equal(0);
    expect(await list(one)).to.have.lengthOf(1);
  });

  it('keeps what tells removed, erased and restored records from those that somebody has done away with', async () => {
    const kept = [
      'execution.erase',
      'execution.prune',
      'execution.keep',
      'audit_entry.prune',
      'evidence.restart',
    ] as const;
    for (const action of kept) await append(1, one, action);
    await append(1, one);
    await later();
    const before = new Date();
    expect(await countAuditEntries(database, before)).to.equal(1);
    expect(await pruneAuditEntries(store, before, () => undefined)).to.equal(1);
    expect((await list(one)).map(({ action }) => action)).to.deep.equal([...kept, 'audit_entry.prune']);
  });

  it('keeps what it tells of itself, whatever time is named', async () => {
    await append(2, one);
    await later();
    expect(await pruneAuditEntries(store, new Date('2100-01-01'), () => undefined)).to.equal(2);
    expect((await list(one)).map(({ action }) => action)).to.deep.equal(['audit_entry.prune']);
  });
});
