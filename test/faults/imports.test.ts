import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { bootApp } from '../support/app.js';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { callerOf } from '../support/http.js';
import { doubling } from '../support/models.js';
import { startServer } from '../support/process.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { tokenOf } from '../support/tokens.js';

const models = isLong ? 1200 : 200;
/** What an import with `save` writes, in this order. */
const tables = ['decisions', 'versions', 'audit_entries'] as const;
type Table = (typeof tables)[number];

const rowsOf = async (table: Table, { workspaceId }: Scene, dirty: boolean): Promise<number> =>
  testDatabase().transaction(
    async (transaction) => {
      const [row] = await transaction(table)
        .where({ workspace_id: idToBytes(workspaceId) })
        .count<{ rows: number | string }[]>({ rows: '*' });
      return Number(row?.rows);
    },
    { isolationLevel: dirty ? 'read uncommitted' : 'read committed' },
  );

/** Of what was imported: rows of each table, and what the workspace counts. */
async function stateOf(scene: Scene): Promise<Record<string, number>> {
  const [decisions, versions, entries] = await Promise.all(tables.map((table) => rowsOf(table, scene, false)));
  const [workspace] = (await testDatabase()('workspaces')
    .select('decisions_count', 'decisions_revision')
    .where({ id: idToBytes(scene.workspaceId) })) as { decisions_count: number; decisions_revision: number }[];
  return {
    ...{ decisions: decisions ?? NaN, versions: versions ?? NaN, entries: entries ?? NaN },
    count: Number(workspace?.decisions_count),
    revision: Number(workspace?.decisions_revision),
  };
}

describe('kill -9 of a server in the middle of an import', () => {
  const body = (factor: number): object => ({
    decisions: Array.from({ length: models }, (_, n) => ({ key: `m/${n}.json`, content: doubling(n + factor) })),
    save: true,
  });

  // In the short form after what is written last: by then all else would be there of an import that is not one transaction.
  for (const table of isLong ? tables : (['audit_entries'] as const)) {
    it(`leaves all of it or nothing, once rows of ${table} are written, and can be repeated`, async () => {
      const server = await startServer({ ...longTimeouts, LOG_LEVEL: 'error' });
      const scene = await buildScene(server);
      const before = await stateOf(scene);
      const answer = scene.caller.post('/logic/imports', body(1)).catch(() => undefined);
      let seen = 0;
      const already = before[table === 'audit_entries' ? 'entries' : table] ?? 0;
      while ((seen = (await rowsOf(table, scene, true)) - already) <= 0) await sleep(1);
      await server.kill();
      await answer;
      expect(seen, 'rows when it was killed').to.be.within(1, table === 'audit_entries' ? 2 * models : models);

      const nothing = before;
      const all = {
        ...{ decisions: models, versions: models, entries: (before['entries'] ?? 0) + 2 * models },
        ...{ count: models, revision: (before['revision'] ?? 0) + 1 },
      };
      // MySQL takes the transaction back once it notices that its connection is gone.
      await eventually(
        async () => (await rowsOf('decisions', scene, true)) === (await rowsOf('decisions', scene, false)),
      );
      expect([nothing, all]).to.deep.include(await stateOf(scene));
      await expectRepeatable(scene);
    });
  }

  /** On another server, which finds a workspace that is whole. */
  async function expectRepeatable(scene: Scene): Promise<void> {
    const next = await bootApp();
    try {
      const { client, workspaceId } = scene;
      const caller = callerOf(next.baseUrl, await tokenOf(next.baseUrl, client), workspaceId);
      const { status, text } = await caller.post('/logic/imports', body(2));
      expect(status, text).to.equal(200);
      expect(await stateOf(scene)).to.deep.include({ decisions: models, count: models });
    } finally {
      await next.stop();
    }
  }
});
