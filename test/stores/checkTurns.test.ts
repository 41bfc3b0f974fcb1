import { expect } from 'chai';
import type { Knex } from 'knex';
import { claimCheck, insertChecks, postponeCheck, type CheckTask } from '../../src/changes/checks.store.js';
import { insertRequest } from '../../src/changes/requests.store.js';
import { environments } from '../../src/environments/environments.store.js';
import { newId } from '../../src/storage/ids.js';
import { buildWorkspace, openScratchStore, type Store } from '../support/factories.js';
import { planOf } from '../support/queryPlans.js';

const leaseMs = 60_000;

describe('checks of change requests', () => {
  let store: Store;
  let first: string;
  let second: string;
  beforeEach(async () => {
    store = await openScratchStore();
    [first = '', second = ''] = [await buildWorkspace(store), await buildWorkspace(store)].sort();
  });
  afterEach(() => store.close());

  async function checks(workspaceId: string, count: number): Promise<void> {
    const fields = { name: 'E', description: null, color: '#fff' };
    const { resource } = await environments.insert(store.database, workspaceId, fields);
    const id = newId();
    await store.database.transaction(async (transaction) => {
      const head = { title: 'T', message: null, author: 'client:1', digest: '00'.repeat(32) };
      await insertRequest(transaction, { id, workspaceId, environmentId: resource.id, ...head });
      const task: CheckTask = { name: 'tests', decisionId: newId(), decisionKey: 'k', version: 1, wanted: '' };
      await insertChecks(transaction, { workspaceId, id }, Array<CheckTask>(count).fill(task));
    });
  }

  it('of one workspace wait for one check of each other workspace, however many it has', async () => {
    await checks(first, 50);
    await checks(second, 2);
    const turns: string[] = [];
    let after: string | undefined;
    for (let turn = 0; turn < 6; turn++) {
      const check = await claimCheck(store.database, { after, busy: new Set() }, leaseMs);
      turns.push((after = check!.workspaceId));
    }
    expect(turns).to.deep.equal([first, second, first, second, first, first]);
  });

  it('of a workspace that has a turn already leave it to the others', async () => {
    await checks(first, 50);
    await checks(second, 1);
    const claimed = await claimCheck(store.database, { after: undefined, busy: new Set([first]) }, leaseMs);
    expect(claimed?.workspaceId).to.equal(second);
    const busy = new Set([first, second]);
    expect(await claimCheck(store.database, { after: second, busy }, leaseMs)).to.equal(undefined);
    // What was left is anybody's once its time has come.
    await postponeCheck(store.database, claimed!, { afterMs: 0 });
    const again = await claimCheck(store.database, { after: first, busy: new Set([first]) }, leaseMs);
    expect([again?.id, again?.attempts]).to.deep.equal([claimed?.id, 2]);
  });

  it('are found by their index, past what is over', async () => {
    await checks(first, 50);
    await store.database('change_checks').update({ due_at: null });
    await checks(first, 1);
    const statements: Knex.Sql[] = [];
    const note = (statement: Knex.Sql): void => void statements.push(statement);
    store.database.on('query', note);
    await claimCheck(store.database, { after: first, busy: new Set() }, leaseMs);
    store.database.removeListener('query', note);
    const claim = statements.find(({ sql }) => sql.includes('skip locked'));
    const [plan] = await planOf(store.database, claim!.sql, [...claim!.bindings] as Knex.RawBinding[]);
    expect(plan, JSON.stringify(plan)).to.include({ type: 'range', key: 'change_checks_turn' });
    expect(plan?.Extra).to.not.match(/filesort/);
  });
});
