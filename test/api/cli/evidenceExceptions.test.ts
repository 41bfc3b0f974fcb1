import { expect } from 'chai';
import { ByteBudget } from '../../../src/admission/byteBudget.js';
import { pruneAuditEntries } from '../../../src/audit/prune.js';
import { appendAuditEntries } from '../../../src/audit/audit.store.js';
import { environments } from '../../../src/environments/environments.store.js';
import { checkTree, type Finding } from '../../../src/evidence/check.js';
import { eraseSalts } from '../../../src/evidence/leaves.store.js';
import { createRecords } from '../../../src/evidence/records.js';
import { findTree, type RefusalReason } from '../../../src/evidence/trees.store.js';
import { eraseExecutions } from '../../../src/runs/erase.store.js';
import { keepDays } from '../../../src/runs/days/keepDays.js';
import { pruneEnvironment, pruneHistory } from '../../../src/runs/prune.js';
import { writeRetention } from '../../../src/runs/retention/retention.store.js';
import { idToBytes, newId } from '../../../src/storage/ids.js';
import { stopClock } from '../../support/clock.js';
import { buildDeployed, deployOnce, recordOf, type Deployed } from '../../support/deployed.js';
import { eventually } from '../../support/eventually.js';
import { idAgo, sequencerOn } from '../../support/evidence.js';
import { testActor, useScratchStore } from '../../support/factories.js';
import { writeRecords } from '../../support/records.js';

const hourMs = 3_600_000;

describe('an exception of evidence check', () => {
  const store = useScratchStore();
  let production: Deployed;
  let trial: Deployed;
  /** Executions of production and of trial, two hours old, and new ones of production. */
  let ids: Readonly<Record<'production' | 'trial' | 'fresh', readonly string[]>>;

  beforeEach(async () => {
    production = await buildDeployed(store);
    const { workspaceId, decisionId } = production;
    const look = { name: 'Trial', description: null, color: '#123456' };
    const { id } = await environments.insert(store.database, workspaceId, look);
    const pair = { workspaceId, decisionId, environmentId: id };
    trial = { ...pair, deploymentId: await deployOnce(store, pair) };
    ids = {
      production: await executed(production, 2 * hourMs),
      trial: await executed(trial, 2 * hourMs),
      fresh: await executed(production, 0),
    };
    await sequenced();
  });

  async function executed(of: Deployed, agoMs: number): Promise<string[]> {
    const made = Array.from({ length: 3 }, () => idAgo(agoMs)).sort();
    const createdAt = new Date(Date.now() - agoMs);
    await writeRecords(
      store.database,
      made.map((id) => recordOf(of, { id, createdAt })),
    );
    return made;
  }

  /** Has all records get their leaves. */
  async function sequenced(): Promise<void> {
    const sequencer = sequencerOn(store);
    sequencer.start();
    await eventually(async () => {
      const [rows] = (await store.database.raw(
        `SELECT id FROM (SELECT id, workspace_id FROM executions UNION ALL SELECT id, workspace_id FROM audit_entries) AS all_of
          WHERE workspace_id = ? AND id NOT IN (SELECT subject_id FROM evidence_leaves WHERE workspace_id = ?)`,
        [idToBytes(production.workspaceId), idToBytes(production.workspaceId)],
      )) as [unknown[]];
      return rows.length === 0;
    });
    await sequencer.stop();
  }

  async function findings(): Promise<string[]> {
    await sequenced();
    const { database, encryption } = store;
    const tree = (await findTree(database, production.workspaceId))!;
    const found: Finding[] = [];
    const budget = new ByteBudget(256 * 1024 * 1024);
    const parts = { database, encryption, records: createRecords({ database, encryption }), budget, folder: null };
    await checkTree(parts, tree, { found: (finding) => found.push(finding), checked: () => undefined });
    return found.map(({ kind, id }) => `${kind} ${nameOf(id)}`).sort();
  }

  function nameOf(id: string | null): string {
    for (const [name, some] of Object.entries(ids)) {
      const at = some.indexOf(id ?? '');
      if (at !== -1) return `${name} ${at}`;
    }
    return 'another';
  }

  const execution = (id: string | undefined) => store.database('executions').where('id', idToBytes(id ?? ''));
  const leaf = (id: string | undefined) => store.database('evidence_leaves').where('subject_id', idToBytes(id ?? ''));

  /** As an erasure does. */
  const erased = (id: string | undefined): Promise<void> =>
    store.database.transaction(async (transaction) => {
      const { workspaceId } = production;
      await eraseSalts(transaction, workspaceId, [id ?? '']);
      await eraseExecutions(transaction, workspaceId, [id ?? '']);
      const resource = { type: 'execution', id: id ?? '' } as const;
      const entry = {
        actor: testActor,
        workspaceId,
        action: 'execution.erase',
        resource,
        before: null,
        after: null,
      } as const;
      await appendAuditEntries(transaction, [entry]);
    });
  const unhurried = { maxChunks: 10, rest: () => Promise.resolve(), goesOn: () => true };
  const writer = () => ({ database: store.database, actor: testActor });
  const retained = (of: Deployed, agoMs: number) =>
    pruneEnvironment(writer(), { ...of, before: new Date(Date.now() - agoMs) }, unhurried);
  const pruned = (before: Date) =>
    pruneHistory(writer(), { before, workspaceId: production.workspaceId }, () => undefined);
  const auditPruned = () => pruneAuditEntries(writer(), new Date(), () => undefined);
  const forged = { fact: '{"x":9}', result: '{"y":9}' };

  const cases: Readonly<Record<string, readonly [work: () => Promise<unknown>, expected: readonly string[]]>> = {
    'excuses what an erasure emptied': [() => erased(ids.production[0]), []],
    'does not excuse a record that was erased and is not empty': [
      async () => {
        await erased(ids.production[0]);
        await execution(ids.production[0]).update(forged);
      },
      ['altered production 0'],
    ],
    'does not excuse a salt that is gone without an entry of its own': [
      async () => {
        await erased(ids.production[0]);
        await leaf(ids.production[1]).update({ salt: null });
        await execution(ids.production[1]).update({ fact: null, result: 'null' });
      },
      ['altered production 1'],
    ],
    'does not excuse that after the audit trail was pruned, which keeps what tells of erasures': [
      async () => {
        await erased(ids.production[0]);
        await auditPruned();
        await leaf(ids.production[1]).update({ salt: null });
        await execution(ids.production[1]).update(forged);
      },
      ['altered production 1'],
    ],
    'does not excuse an audit entry without its salt, which nobody erases': [
      async () => {
        await erased(ids.production[0]);
        await sequenced();
        const [other] = await store
          .database('evidence_leaves')
          .where('kind', 'audit_entry')
          .limit(1)
          .select<{ subject_id: Buffer }[]>('subject_id');
        await store.database('evidence_leaves').where('subject_id', other!.subject_id).update({ salt: null });
      },
      ['altered another'],
    ],
    'excuses what a retention removed, also after the audit trail was pruned': [
      async () => {
        await retained(trial, hourMs);
        await auditPruned();
      },
      [],
    ],
    "does not excuse a record of another environment than the retention's": [
      async () => {
        await retained(trial, hourMs);
        await execution(ids.production[2]).delete();
      },
      ['removed production 2'],
    ],
    'does not excuse that where the leaf is made out to be of the environment': [
      async () => {
        const [own] = await leaf(ids.trial[0]).select<{ environment_mac: Buffer }[]>('environment_mac');
        await retained(trial, hourMs);
        await execution(ids.production[2]).delete();
        await leaf(ids.production[2]).update({ environment_mac: own!.environment_mac });
      },
      ['removed production 2'],
    ],
    'does not excuse what is younger than the retention removes': [
      async () => {
        await retained(production, hourMs);
        await execution(ids.fresh[1]).delete();
      },
      ['removed fresh 1'],
    ],
    'excuses what a prune removed': [() => pruned(new Date('2099-01-01')), []],
    'does not excuse what came later than the entry of a prune, whatever time that names': [
      async () => {
        await pruned(new Date('2099-01-01'));
        const late = await executed(production, -10);
        ids = { ...ids, fresh: late };
        await sequenced();
        await execution(late[0]).delete();
      },
      ['removed fresh 0'],
    ],
    'does not excuse it by an entry that names a time to come': [
      async () => {
        const entry = {
          actor: testActor,
          workspaceId: production.workspaceId,
          action: 'execution.prune',
          resource: { type: 'execution', id: newId() },
          before: null,
          after: { before: '2099-01-01T00:00:00.000Z' },
        } as const;
        await store.database.transaction((transaction) => appendAuditEntries(transaction, [entry]));
        const late = await executed(production, -10);
        ids = { ...ids, fresh: late };
        await sequenced();
        await execution(late[2]).delete();
      },
      ['removed fresh 2'],
    ],
    'excuses an erased record that was pruned': [
      async () => {
        await erased(ids.trial[0]);
        await retained(trial, hourMs);
      },
      [],
    ],
    'does not excuse what records have in common: another version of a route': [
      () =>
        store
          .database('execution_routes')
          .where('environment_id', idToBytes(trial.environmentId))
          .update({ version: 2 }),
      ['altered trial 0', 'altered trial 1', 'altered trial 2'],
    ],
    'does not excuse what records have in common: another author in settings': [
      () => store.database('execution_settings').update({ principal: 'client:else' }),
      ['fresh', 'production', 'trial'].flatMap((name) => [0, 1, 2].map((at) => `altered ${name} ${at}`)),
    ],
    'does not excuse an erased record that is gone': [
      async () => {
        await erased(ids.production[0]);
        await execution(ids.production[0]).delete();
      },
      ['removed production 0'],
    ],
  };
  for (const [title, [work, expected]] of Object.entries(cases)) {
    it(title, async () => {
      expect(await findings()).to.deep.equal([]);
      await work();
      expect(await findings()).to.deep.equal(expected);
    });
  }

  it('is not had by a whole day that went: of an environment that keeps it, what is gone was removed by somebody', async () => {
    const { database } = store;
    // Of those who keep theirs none is of that day.
    await database('executions').delete();
    production = await buildDeployed(store);
    const { workspaceId, decisionId } = production;
    const look = { name: 'Trial', description: null, color: '#123456' };
    const { id: environmentId } = await environments.insert(database, workspaceId, look);
    trial = {
      workspaceId,
      decisionId,
      environmentId,
      deploymentId: await deployOnce(store, { ...production, environmentId }),
    };
    ids = { production: await executed(production, 0), trial: await executed(trial, 0), fresh: [] };
    await database.transaction((transaction) => writeRetention(transaction, trial, { days: 5 }));
    expect(await findings()).to.deep.equal([]);
    for (const id of ids.production) await execution(id).delete();
    const clock = stopClock();
    clock.step(9 * 24 * hourMs);
    expect(await keepDays(database).finally(() => clock.release())).to.equal(true);
    expect(await execution(ids.trial[0])).to.deep.equal([]);
    expect(await findings()).to.deep.equal(ids.production.map((_, at) => `removed production ${at}`));
  });

  it('is not had by a new tree: none is begun where older records must have had one', async () => {
    const { database } = store;
    const { workspaceId } = production;
    await executed(production, 25 * hourMs);
    for (const table of ['evidence_leaves', 'evidence_nodes', 'evidence_heads', 'evidence_trees'])
      await database(table).where('workspace_id', idToBytes(workspaceId)).delete();
    await execution(ids.production[0]).update(forged);
    const refused = new Map<string, RefusalReason>();
    const sequencer = sequencerOn(store, { refused });
    sequencer.start();
    await eventually(() => refused.has(workspaceId));
    // Others have theirs.
    const other = await buildDeployed(store);
    await writeRecords(database, [recordOf(other)]);
    await eventually(async () => (await findTree(database, other.workspaceId)) !== undefined);
    await sequencer.stop();
    expect(await findTree(database, workspaceId)).to.equal(undefined);
    expect([...refused]).to.deep.equal([[workspaceId, 'no_tree']]);
  });
});
