import { expect } from 'chai';
import type { TenantEntry } from '../../../src/audit/audit.store.js';
import { useApp } from '../../support/app.js';
import { done, verdict } from '../../support/cli.js';
import { buildInquiry } from '../../support/factories.js';
import { call } from '../../support/http.js';
import { testStore, useScene } from '../../support/scene.js';
import { basic } from '../../support/tokens.js';

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
