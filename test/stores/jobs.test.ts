import { expect } from 'chai';
import type { Knex } from 'knex';
import { startReplay } from '../../src/changes/checkJobs.js';
import { findCheck, insertChecks, noteReplay, writeOutcome } from '../../src/changes/checks.store.js';
import { heads, newHead } from '../../src/changes/requests.store.js';
import { environments } from '../../src/environments/environments.store.js';
import { eraseSome } from '../../src/erasures/erase.js';
import { dropUnknown } from '../../src/erasures/eraseOutcomes.js';
import { findErasure, insertErasure, namedExecutions } from '../../src/erasures/erasures.store.js';
import { createKeptHeads } from '../../src/evidence/keptHeads.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import { originIn } from '../../src/evidence/origin.js';
import { createRecords } from '../../src/evidence/records.js';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { JobLost, queueJobs, requireHeld, settleJob, type Job, type JobKind } from '../../src/jobs/jobs.store.js';
import { ownerWithinKind, JobTurns } from '../../src/jobs/turns.js';
import {
  columnsOf,
  monitorOf,
  monitors,
  newMonitor,
  writeFinding,
} from '../../src/measures/monitors/monitors.store.js';
import { failReplay, findReplayOf, recordProgress, removeSome } from '../../src/replays/progress.store.js';
import { newReplay, replays, uncounted } from '../../src/replays/replays.store.js';
import { pruneEnvironment } from '../../src/runs/prune.js';
import { writeRetention } from '../../src/runs/retention/retention.store.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { issuer } from '../support/evidence.js';
import { buildTenant, buildWorkspace, useScratchStore, type Store } from '../support/factories.js';
import { claimed, makeDue } from '../support/jobs.js';
import { planOf } from '../support/queryPlans.js';

const leaseMs = 60_000;

const task = { name: 'tests', decisionKey: 'k', version: 0, wanted: '' } as const;
const actor = { principal: 'client:1', requestId: null };
const outcome = { passed: true, detail: 'd', report: null };
const progress = { total: 1, done: 1, position: null, tallies: '', differenceBytes: 0 };

/** A kind of job, with all that whoever has one writes. */
interface Kind {
  readonly kind: JobKind;
  readonly tables: readonly string[];
  readonly insert: (transaction: Knex.Transaction, workspaceId: string, environmentId: string) => Promise<unknown>;
  readonly writes: readonly ((store: Store, job: Job) => Promise<unknown>)[];
}

const found = <T>(one: T | undefined): T => {
  if (one === undefined) throw new Error('what the job is of is gone');
  return one;
};
const inTransaction =
  (work: (transaction: Knex.Transaction, job: Job) => Promise<unknown>) =>
  ({ database }: Store, job: Job): Promise<unknown> =>
    database.transaction((transaction) => work(transaction, job));

const kinds: readonly Kind[] = [
  {
    kind: 'check',
    tables: ['change_checks', 'replays', 'audit_entries'],
    async insert(transaction, workspaceId, environmentId) {
      const id = newId();
      const head = { title: 'T', message: null, author: 'client:1', digest: '00'.repeat(32) };
      await heads.insert(transaction, workspaceId, { ...newHead, id, environmentId, ...head });
      const decisionId = newId();
      await insertChecks(transaction, { workspaceId, id }, [{ ...task, decisionId }]);
      const [content_hash, created_at] = [Buffer.alloc(32), new Date()];
      await transaction('contents')
        .insert({ hash: content_hash, body: '{}', bytes: 2, sub_decisions: '[]', created_at })
        .onConflict()
        .ignore();
      await transaction('decisions').insert({
        ...{ id: idToBytes(decisionId), workspace_id: idToBytes(workspaceId), decision_key: decisionId },
        ...{ content_hash, created_at, updated_at: created_at },
      });
    },
    writes: [
      async ({ database }, job) => startReplay(database, found(await findCheck(database, job))),
      inTransaction(async (transaction, job) =>
        writeOutcome(transaction, found(await findCheck(transaction, job)), outcome),
      ),
      inTransaction(async (transaction, job) =>
        noteReplay(transaction, found(await findCheck(transaction, job)), newId()),
      ),
    ],
  },
  {
    kind: 'erasure',
    tables: ['erasures', 'erasure_executions', 'audit_entries'],
    insert: (transaction, workspaceId) =>
      insertErasure(transaction, { workspaceId, id: newId() }, { actor, reference: null, executionIds: [newId()] }),
    writes: [
      async ({ database }, job) =>
        dropUnknown(database, found(await findErasure(database, job)), { isMeant: () => true, isOver: () => false }),
      async ({ database, encryption }, job) => {
        const records = createRecords({ database, encryption });
        const keys = createEvidenceKeys({ database, encryption });
        const kept = createKeptHeads(null);
        const budget = new ByteBudget(1024 * 1024);
        const parts = { database, records, keys, kept, originOf: originIn(issuer), budget };
        const erasure = found(await findErasure(database, job));
        const ids = await namedExecutions(database, erasure, { after: Buffer.alloc(16), size: 10 });
        await eraseSome(parts, erasure, ids);
      },
    ],
  },
  {
    kind: 'monitor',
    tables: ['monitors', 'events'],
    async insert(transaction, workspaceId, environmentId) {
      const monitor = { name: 'M', environmentId, window: '1h', condition: '> 1', measure: 'failed' } as const;
      // Of a decision that is not there.
      await transaction.raw('SET SESSION foreign_key_checks = 0');
      const request = { ...monitor, decisionId: newId() };
      const { id } = await monitors.insert(transaction, workspaceId, newMonitor(request), columnsOf(request));
      await queueJobs(transaction, [{ kind: 'monitor', workspaceId, id }]);
      await transaction.raw('SET SESSION foreign_key_checks = 1');
    },
    writes: [
      async ({ database }, job) =>
        writeFinding(database, job, monitorOf(await monitors.require(database, job)), { value: 2, holds: true }),
    ],
  },
  {
    kind: 'replay',
    tables: ['replays', 'events'],
    async insert(transaction, workspaceId) {
      const fields = { ...newReplay, request: '{}', report: '{}' };
      const { id } = await replays.insert(transaction, workspaceId, fields, uncounted);
      await queueJobs(transaction, [{ kind: 'replay', workspaceId, id }]);
    },
    writes: [
      async ({ database }, job) => {
        const piece = { progress, report: '{}', differences: [], isOver: true };
        await recordProgress(database, found(await findReplayOf(database, job)), piece);
      },
      ({ database }, job) => failReplay(database, job, 'a reason'),
      ({ database }, job) => removeSome(database, job),
    ],
  },
  {
    kind: 'retention',
    tables: ['executions', 'audit_entries'],
    insert: (transaction, workspaceId, environmentId) =>
      writeRetention(transaction, { workspaceId, environmentId }, { days: 1 }),
    writes: [
      ({ database }, job) =>
        pruneEnvironment(
          { database, actor },
          {
            ...{ workspaceId: job.workspaceId, environmentId: job.id, before: new Date() },
            hold: (transaction) => requireHeld(transaction, job),
          },
          {
            ...{ maxChunks: 1, rest: () => Promise.resolve(), goesOn: () => true },
          },
        ),
    ],
  },
];

for (const { kind, tables, insert, writes } of kinds) {
  describe(`jobs of the kind ${kind}`, () => {
    const store = useScratchStore();
    /** Two workspaces of one tenant, and one of another. */
    let workspaces: readonly string[];
    beforeEach(async () => {
      const [one, other] = [await buildTenant(store), await buildTenant(store)].sort();
      workspaces = [
        await buildWorkspace(store, one),
        await buildWorkspace(store, one),
        await buildWorkspace(store, other),
      ];
    });

    async function queue(workspaceId: string, count: number): Promise<void> {
      for (let made = 0; made < count; made++) {
        const fields = { name: `E${made}`, description: null, color: '#fff' };
        const { id } = await environments.insert(store.database, workspaceId, fields);
        await store.database.transaction((transaction) => insert(transaction, workspaceId, id));
      }
    }

    /** Which tenants have the next turns. */
    async function turnsOf(turns: JobTurns, count: number): Promise<string[]> {
      const names: string[] = [];
      for (let turn = 0; turn < count; turn++) {
        const [job] = await turns.claim({ leaseMs, room: () => 1 });
        names.push(job === undefined ? 'none' : job.workspaceId === workspaces[2] ? 'other' : 'one');
      }
      return names;
    }

    it('are claimed by tenants in turn, however many jobs and workspaces one has', async () => {
      await queue(workspaces[0] ?? '', 4);
      await queue(workspaces[1] ?? '', 4);
      await queue(workspaces[2] ?? '', 2);
      const turns = new JobTurns(store.database, [kind], ownerWithinKind);
      expect(await turnsOf(turns, 6)).to.deep.equal(['one', 'other', 'one', 'other', 'one', 'one']);
      expect(await turnsOf(turns, 5)).to.deep.equal([...Array<string>(4).fill('one'), 'none']);
      // What a dead process had is anybody's once its lease has ended.
      await makeDue(store.database, kind);
      expect((await turnsOf(turns, 2)).sort()).to.deep.equal(['one', 'other']);
    });

    it('are found by their index, past what is not due', async () => {
      await queue(workspaces[0] ?? '', 20);
      await store.database('jobs').update({ due_at: new Date('2100-01-01') });
      await queue(workspaces[2] ?? '', 1);
      const statements: Knex.Sql[] = [];
      const note = (statement: Knex.Sql): void => void statements.push(statement);
      store.database.on('query', note);
      const turns = new JobTurns(
        store.database,
        kinds.map((each) => each.kind),
        ownerWithinKind,
      );
      expect(await turnsOf(turns, 1)).to.deep.equal(['other']);
      store.database.removeListener('query', note);
      const read = statements.filter(({ sql }) => sql.startsWith('select'));
      expect(read).to.have.length(2);
      for (const { sql, bindings } of read) {
        const [plan] = await planOf(store.database, sql, [...bindings] as Knex.RawBinding[]);
        expect(plan, JSON.stringify(plan)).to.include({ key: 'jobs_turn' });
        expect(plan?.Extra, JSON.stringify(plan)).to.not.match(/filesort/);
        if (sql.includes('group by')) expect(plan?.Extra, JSON.stringify(plan)).to.match(/for group-by/);
      }
    });

    it('are written of by whoever has them alone: a process that lost one writes nothing', async () => {
      await queue(workspaces[0] ?? '', 1);
      const { database } = store;
      const [job] = await new JobTurns(database, [kind], ownerWithinKind).claim({ leaseMs, room: () => 1 });
      const lost = found(job);
      await claimed(database, kind, lost.id);
      const rows = async (): Promise<unknown[]> => Promise.all(tables.map((table) => database(table).select()));
      const before = await rows();
      for (const write of writes) {
        const error: unknown = await write(store, lost).catch((refused: unknown) => refused);
        expect(error, write.toString()).to.be.instanceOf(JobLost);
        expect(await rows()).to.deep.equal(before);
      }
      await settleJob(database, lost, { kind: 'over' });
      expect(await database('jobs')).to.have.length(1);
    });
  });
}
