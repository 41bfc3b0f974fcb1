import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { findTree } from '../../src/evidence/trees.store.js';
import { eventually } from '../support/eventually.js';
import { sequencerOn, writeEntries } from '../support/evidence.js';
import { buildTenant, buildWorkspace, useScratchStore } from '../support/factories.js';

/** Of each workspace: more than is done for all of them while the other has three leaves, on the quickest machine too. */
const entries = 1000;

describe('the turns of evidence', () => {
  const store = useScratchStore();

  it('are of tenants: one with sixty workspaces to catch up with is one neighbour', async () => {
    const greedy = await buildTenant(store);
    const many: string[] = [];
    for (let n = 0; n < 60; n++) {
      const workspaceId = await buildWorkspace(store, greedy);
      many.push(workspaceId);
      await writeEntries(store, workspaceId, { count: entries, agoMs: 3_600_000 });
    }
    const neighbour = await buildWorkspace(store);
    const sizeOf = async (id: string): Promise<number> => (await findTree(store.database, id))?.size ?? 0;
    const behind = async (): Promise<number> =>
      (await Promise.all(many.map(sizeOf))).filter((size) => size < entries).length;
    const sequencer = sequencerOn(store);
    sequencer.start();
    try {
      await eventually(async () => (await behind()) < many.length);
      for (let count = 1; count <= 3; count++) {
        const size = await sizeOf(neighbour);
        await writeEntries(store, neighbour, { count: 1 });
        await eventually(async () => (await sizeOf(neighbour)) > size);
        expect(await behind(), `workspaces of the other that still wait, at leaf ${count}`).to.be.above(0);
      }
    } finally {
      await sequencer.stop();
    }
  });
});

describe('the looks of evidence', () => {
  const store = useScratchStore();

  it('are few at workspaces in which nothing has come for some seconds: one at what may come late, one search', async () => {
    const workspaces: string[] = [];
    for (let n = 0; n < 8; n++) workspaces.push(await buildWorkspace(store));
    // They were made a while ago.
    await store.database('audit_entries').delete();
    for (const workspaceId of workspaces) await writeEntries(store, workspaceId, { count: 1, agoMs: 20_000 });
    const sequencer = sequencerOn(store);
    sequencer.start();
    try {
      for (const workspaceId of workspaces)
        await eventually(async () => ((await findTree(store.database, workspaceId))?.size ?? 0) > 0);
      let looks = 0;
      store.database.on('query', ({ sql }: { sql: string }) => {
        if (/ids|subjects\.id/.test(sql) && sql.includes('audit_entries_workspace')) looks++;
      });
      await sleep(6000);
      // Two statements each: the one every 4 s, the other every 5.
      expect(looks / workspaces.length, 'statements of 6 s about a workspace').to.be.within(1, 8);
    } finally {
      await sequencer.stop();
    }
  });
});
