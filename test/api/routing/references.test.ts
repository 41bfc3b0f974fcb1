import { expect } from 'chai';
import type { Knex } from 'knex';
import { Problem, type Violation } from '../../../src/errors.js';
import {
  deleteDeployment,
  findDeployment,
  updateDeployment,
  type DeploymentFields,
} from '../../../src/deployments/deployments.store.js';
import { holdDeployment, requireReferences } from '../../../src/deployments/references.js';
import { ChangedMeanwhile } from '../../../src/storage/database.js';
import { idFromBytes, idToBytes } from '../../../src/storage/ids.js';
import { openStore, type Store } from '../../support/factories.js';
import { statementsWait } from '../../support/locks.js';
import { buildPlace, type Place } from './place.js';

describe('what a deployment refers to', () => {
  let store: Store;
  let place: Place;
  let database: Knex;
  beforeEach(async () => {
    store = openStore();
    ({ database } = store);
    place = await buildPlace(store);
  });
  afterEach(() => store.close());

  /** Ids of the rows of a table, of those given, that another transaction can have. */
  async function free(table: string, ids: readonly string[]): Promise<string[]> {
    const rows = (await database.transaction((transaction) =>
      transaction(table).select('id').whereIn('id', ids.map(idToBytes)).orderBy('id').forUpdate().skipLocked(),
    )) as { id: Buffer }[];
    return rows.map(({ id }) => idFromBytes(id));
  }

  it('must be in the workspace; every absent one is named', async () => {
    const { workspaceId, decisionId, environments } = place;
    const foreign = await buildPlace(store);
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
    const { workspaceId, decisionId, environments } = place;
    await database.transaction(async (transaction) => {
      await requireReferences(transaction, workspaceId, { decisionId, environmentId: environments[0], version: 1 });
      expect(await free('environments', environments)).to.deep.equal([environments[1]]);
      expect(await free('decisions', [decisionId])).to.deep.equal([]);
    });
    expect(await free('environments', environments)).to.deep.equal(environments);
    expect(await free('decisions', [decisionId])).to.deep.equal([decisionId]);
  });

  describe('holdDeployment', () => {
    it('holds the deployment, its environment, and the one that it is to move to', async () => {
      const [here, there] = place.environments;
      const id = await place.deployment({ environmentId: here });
      for (const [target, left] of [
        [undefined, [there]],
        [there, []],
      ] as const) {
        await database.transaction(async (transaction) => {
          const held = await holdDeployment(transaction, place.workspaceId, id, target);
          expect(held?.resource).to.include({ id, environmentId: here });
          expect(await free('environments', place.environments)).to.deep.equal(left);
          expect(await free('deployments', [id])).to.deep.equal([]);
        });
      }
    });

    it('takes environments in the order of their ids, whichever way it moves', async () => {
      const [low, high] = place.environments;
      for (const [from, to] of [
        [low, high],
        [high, low],
      ] as const) {
        const id = await place.deployment({ environmentId: from });
        const taken: string[] = [];
        const note = ({ sql, bindings }: { sql: string; bindings: readonly unknown[] }): void => {
          if (!sql.includes('`environments`')) return;
          const [, environment] = bindings.filter((value) => Buffer.isBuffer(value));
          if (environment !== undefined) taken.push(idFromBytes(environment));
        };
        database.on('query', note);
        await database.transaction((transaction) => holdDeployment(transaction, place.workspaceId, id, to));
        database.removeListener('query', note);
        expect(taken).to.deep.equal([low, high]);
      }
    });

    it('finds nothing of another workspace, nor what is not there, and asks no further', async () => {
      const id = await place.deployment({});
      let queries = 0;
      await database.transaction(async (transaction) => {
        transaction.on('query', () => queries++);
        expect(await holdDeployment(transaction, place.decisionId, id)).to.equal(undefined);
        expect(await holdDeployment(transaction, place.workspaceId, place.decisionId)).to.equal(undefined);
      });
      expect(queries).to.be.below(5);
    });

    /** What comes of holding a deployment while another transaction, which came first, changes it. */
    async function meanwhile(change: (transaction: Knex.Transaction, id: string) => Promise<void>): Promise<unknown> {
      const id = await place.deployment({});
      let holding: Promise<unknown> | undefined;
      await database.transaction(async (transaction) => {
        await transaction('environments').select('id').where('id', idToBytes(place.environments[0])).forUpdate();
        holding = database
          .transaction((other) => holdDeployment(other, place.workspaceId, id))
          .catch((error: unknown) => error);
        await statementsWait(database, /from `environments` .* lock in share mode|for share/);
        await change(transaction, id);
      });
      return holding;
    }

    it('is told to look again when it has moved meanwhile', async () => {
      const outcome = await meanwhile(async (transaction, id) => {
        const stored = await findDeployment(transaction, place.workspaceId, id);
        if (stored === undefined) return expect.fail('no deployment');
        const fields = { ...stored.resource, environmentId: place.environments[1] };
        await updateDeployment(transaction, place.workspaceId, id, fields);
      });
      expect(outcome).to.be.instanceOf(ChangedMeanwhile);
    });

    it('gives what changed meanwhile as it is now, and nothing of what has gone', async () => {
      const renamed = await meanwhile(async (transaction, id) => {
        const stored = await findDeployment(transaction, place.workspaceId, id);
        if (stored === undefined) return expect.fail('no deployment');
        await updateDeployment(transaction, place.workspaceId, id, { ...stored.resource, name: 'New' });
      });
      expect(renamed).to.have.nested.property('resource.name', 'New');
      expect(await meanwhile((transaction, id) => deleteDeployment(transaction, place.workspaceId, id))).to.equal(
        undefined,
      );
    });
  });
});
