import { expect } from 'chai';
import type { Knex } from 'knex';
import { Problem, type Violation } from '../../../src/errors.js';
import type { DeploymentFields } from '../../../src/deployments/deployments.store.js';
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

  it('must be in the workspace; every absent one is named', async () => {
    const { workspaceId, decisionId, environments } = fixture;
    const foreign = await buildFixture(store);
    const violations = async (fields: Partial<DeploymentFields>): Promise<readonly Violation[]> => {
      const all = { decisionId, environmentId: environments[0], version: 1, ...fields };
      const error: unknown = await database
        .transaction((transaction) => requireReferences(transaction, workspaceId, all))
        .catch((thrown: unknown) => thrown);
      if (error === undefined) return [];
      if (!(error instanceof Problem)) throw new Error('no problem', { cause: error });
      const { detail, code, errors } = error.body('', '');
      expect([code, detail]).to.deep.equal([
        'reference_not_found',
        'The deployment refers to something that is not in this workspace.',
      ]);
      return errors as readonly Violation[];
    };
    const absent = (pointer: string, message: string): Violation => ({ in: 'body', pointer, message });
    const noDecision = absent('/decisionId', 'names no decision of this workspace');
    const noVersion = absent('/version', 'names no saved version of this decision');
    const noEnvironment = absent('/environmentId', 'names no environment of this workspace');
    expect(await violations({})).to.deep.equal([]);
    expect(await violations({ version: 0 })).to.deep.equal([]);
    expect(await violations({ version: 2 })).to.deep.equal([noVersion]);
    expect(await violations({ decisionId: foreign.decisionId })).to.deep.equal([noDecision]);
    expect(await violations({ environmentId: foreign.environments[0], version: 2 })).to.deep.equal([
      noVersion,
      noEnvironment,
    ]);
    expect(await violations({ decisionId: environments[0], environmentId: decisionId, version: 9 })).to.deep.equal([
      noDecision,
      noEnvironment,
    ]);
  });

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
