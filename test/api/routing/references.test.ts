import { expect } from 'chai';
import type { Knex } from 'knex';
import { requireReferences } from '../../../src/deployments/references.js';
import { idFromBytes, idToBytes } from '../../../src/storage/ids.js';
import { useStore } from '../../support/factories.js';
import { buildFixture, type RoutingFixture } from './fixture.js';

describe('what a deployment refers to', () => {
  const store = useStore();
  let fixture: RoutingFixture;
  let database: Knex;
  beforeEach(async () => {
    ({ database } = store);
    fixture = await buildFixture(store);
  });

  /** Ids of the rows of a table, of those given, that another transaction can have. */
  async function free(table: string, ids: readonly string[]): Promise<string[]> {
    const rows = (await database.transaction((transaction) =>
      transaction(table).select('id').whereIn('id', ids.map(idToBytes)).orderBy('id').forUpdate().skipLocked(),
    )) as { id: Buffer }[];
    return rows.map(({ id }) => idFromBytes(id));
  }

  it('is held until the transaction ends', async () => {
    const { workspaceId, decisionId, environments } = fixture;
    await database.transaction(async (transaction) => {
      await requireReferences(transaction, workspaceId, { decisionId, environmentId: environments[0], version: 1 });
      expect(await free('environments', environments)).to.deep.equal([environments[1]]);
      expect(await free('decisions', [decisionId])).to.deep.equal([]);
    });
    expect(await free('environments', environments)).to.deep.equal(environments);
    expect(await free('decisions', [decisionId])).to.deep.equal([decisionId]);
  });
});
