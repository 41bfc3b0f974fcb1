import { expect } from 'chai';
import { environmentMac } from '../../src/evidence/environmentMac.js';
import { listEvidenceKeys, openEvidenceKey } from '../../src/evidence/keys.store.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import type { Leaf } from '../../src/evidence/leaves.store.js';
import { createIsRemoved } from '../../src/evidence/removals.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { idAgo } from '../support/evidence.js';
import { useScratchStore } from '../support/factories.js';

const hourMs = 3_600_000;

describe('whether a record was removed', () => {
  const store = useScratchStore();

  it('is found among thousands of environments that gave up the same day, with turns for others in between', async () => {
    const { database, encryption } = store;
    await createEvidenceKeys(store).signing();
    const keys = (await listEvidenceKeys(database)).map((key) => openEvidenceKey(encryption, key));
    const workspaceId = newId();
    const environments = Array.from({ length: 20_000 }, () => newId());
    const rows = environments.map((environmentId) => ({
      ...{ id: idToBytes(newId()), workspace_id: idToBytes(workspaceId), principal: 'system:retention' },
      ...{ action: 'execution.prune', resource_type: 'execution', resource_id: workspaceId, created_at: new Date() },
      after_state: JSON.stringify({ before: new Date(Date.now() - hourMs).toISOString(), environmentId }),
    }));
    await database.batchInsert('audit_entries', rows, 1000);
    const isRemoved = await createIsRemoved(database, workspaceId, keys);
    const subjectId = idAgo(2 * hourMs);
    const leafOf = (environmentId: string): Leaf => ({
      ...{ position: 0, kind: 'execution', subjectId, hash: Buffer.alloc(32), salt: Buffer.alloc(32) },
      environmentMac: environmentMac(keys[0]!, { workspaceId, subjectId, environmentId }),
    });
    let turns = 0;
    const turn = setInterval(() => turns++, 0);
    try {
      expect(await isRemoved(leafOf(environments.at(-1)!))).to.equal(true);
      expect(await isRemoved(leafOf(newId()))).to.equal(false);
    } finally {
      clearInterval(turn);
    }
    expect(turns).to.be.greaterThan(2);
  });

  it('is not believed of a removal that was taken back, until one is told again; others stay', async () => {
    const { database, encryption } = store;
    await createEvidenceKeys(store).signing();
    const keys = (await listEvidenceKeys(database)).map((key) => openEvidenceKey(encryption, key));
    const [workspaceId, environmentId] = [newId(), newId()];
    const timeAgo = (ms: number): string => new Date(Date.now() - ms).toISOString();
    const [shorter, longer] = [timeAgo(20 * hourMs), timeAgo(hourMs)];
    const tell = (action: string, before: string): Promise<unknown> =>
      database('audit_entries').insert({
        ...{ id: idToBytes(newId()), workspace_id: idToBytes(workspaceId), principal: 'system:retention' },
        ...{ action, resource_type: 'execution', resource_id: workspaceId, created_at: new Date() },
        after_state: JSON.stringify({ before, environmentId }),
      });
    const isRemoved = async (ageMs: number): Promise<boolean> => {
      const subjectId = idAgo(ageMs);
      const mac = environmentMac(keys[0]!, { workspaceId, subjectId, environmentId });
      const leaf = { position: 0, subjectId, hash: Buffer.alloc(32), salt: Buffer.alloc(32), environmentMac: mac };
      return (await createIsRemoved(database, workspaceId, keys))({ ...leaf, kind: 'execution' });
    };
    await tell('execution.prune', shorter);
    await tell('execution.prune', longer);
    expect([await isRemoved(30 * hourMs), await isRemoved(2 * hourMs)]).to.deep.equal([true, true]);
    await tell('execution.keep', longer);
    expect([await isRemoved(30 * hourMs), await isRemoved(2 * hourMs)]).to.deep.equal([true, false]);
    await tell('execution.prune', longer);
    expect([await isRemoved(30 * hourMs), await isRemoved(2 * hourMs)]).to.deep.equal([true, true]);
  });
});
