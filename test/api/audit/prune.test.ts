import { expect } from 'chai';
import type { Knex } from 'knex';
import type { AuditAction } from '../../../src/audit/actions.js';
import {
  type AuditEntry,
  type TenantEntry,
  appendAuditEntries,
  listAuditEntries,
} from '../../../src/audit/audit.store.js';
import { countAuditEntries, pruneAuditEntries } from '../../../src/audit/prune.js';
import { newId } from '../../../src/storage/ids.js';
import { type Store, buildInquiry, openScratchStore } from '../../support/factories.js';
import { useApp } from '../../support/app.js';
import { done, verdict } from '../../support/cli.js';
import { call } from '../../support/http.js';
import { testStore, useScene } from '../../support/scene.js';
import { basic } from '../../support/tokens.js';

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

const entriesOf = async (...options: string[]): Promise<TenantEntry[]> =>
  (await done<{ entries: TenantEntry[] }>('tenant', 'audit', ...options)).entries;

describe('verdict tenant audit', () => {
  const app = useApp();
  const scene = useScene(app);
  let inquiryId: string;
  before(async () => {
    inquiryId = (await buildInquiry(testStore(), scene.tenantId)).id;
    const headers = { Authorization: basic(scene.client.id, scene.client.secret) };
    for (const externalId of ['one', 'two']) {
      await call(`${app.baseUrl}/fuse/v2/inquiries/${inquiryId}`, { method: 'PATCH', headers, body: { externalId } });
    }
  });

  it('lists what belongs to no workspace, newest first, with whose it is', async () => {
    const entries = await entriesOf('--resource', inquiryId);
    expect(entries.map(({ action }) => action)).to.deep.equal(['inquiry.update', 'inquiry.update', 'inquiry.create']);
    const [newest] = entries;
    expect(newest).to.deep.include({
      workspaceId: null,
      tenantId: scene.tenantId,
      principal: `client:${scene.client.id}`,
      resource: { type: 'inquiry', id: inquiryId },
    });
    const made = await entriesOf('--action', 'client.create', '--resource', scene.client.id);
    expect(made.map(({ action }) => action)).to.deep.equal(['client.create']);
  });

  it('is of one tenant alone where one is named', async () => {
    const all = await entriesOf('--tenant', scene.tenantId, '--size', '5000');
    expect(all.map(({ action }) => action)).to.include('inquiry.create');
    expect(new Set(all.map(({ tenantId }) => tenantId))).to.deep.equal(new Set([scene.tenantId]));
    expect(await entriesOf('--tenant', scene.workspaceId)).to.deep.equal([]);
  });

  it('is filtered and goes on in pages', async () => {
    const all = await entriesOf('--principal', `client:${scene.client.id}`);
    const [first, ...others] = all;
    expect(await entriesOf('--principal', `client:${scene.client.id}`, '--size', '1')).to.deep.equal([first]);
    const rest = await entriesOf('--principal', `client:${scene.client.id}`, '--older-than', first?.id ?? '');
    expect(rest).to.deep.equal(others).and.have.lengthOf(1);
    expect(await entriesOf('--resource', inquiryId, '--to', '2001-01-01')).to.deep.equal([]);
  });

  it('shows nothing of a workspace, and no secret', async () => {
    const environmentId = await scene.environment();
    expect(await entriesOf('--resource', environmentId)).to.deep.equal([]);
    const { stdout } = await verdict('tenant', 'audit', '--json', '--size', '5000');
    expect(stdout).to.not.include(scene.client.secret);
  });
});
