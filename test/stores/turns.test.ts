import { expect } from 'chai';
import type { Knex } from 'knex';
import { claimCheck, createCheckTurns, insertChecks, type CheckTask } from '../../src/changes/checks.store.js';
import { insertRequest } from '../../src/changes/requests.store.js';
import { environments } from '../../src/environments/environments.store.js';
import { claimErasure, createErasureTurns, insertErasure } from '../../src/erasures/erasures.store.js';
import {
  claimMonitor,
  columnsOf,
  createMonitorTurns,
  monitors,
  newMonitor,
} from '../../src/measures/monitors/monitors.store.js';
import { claimJob, createReplayTurns } from '../../src/replays/jobs.store.js';
import { insertReplay } from '../../src/replays/replays.store.js';
import { claimRetention, createRetentionTurns, writeRetention } from '../../src/runs/retention/retention.store.js';
import { newId } from '../../src/storage/ids.js';
import type { Turns } from '../../src/storage/turns.js';
import { buildTenant, buildWorkspace, openScratchStore, type Store } from '../support/factories.js';
import { planOf } from '../support/queryPlans.js';

const leaseMs = 60_000;

/** A kind of work in the background that all processes share. */
interface Kind {
  readonly table: string;
  readonly turns: () => Turns;
  readonly insert: (transaction: Knex.Transaction, workspaceId: string, environmentId: string) => Promise<unknown>;
  readonly claim: (database: Knex, turns: Turns) => Promise<unknown>;
}

const task: CheckTask = { name: 'tests', decisionId: newId(), decisionKey: 'k', version: 1, wanted: '' };
const actor = { principal: 'client:1', requestId: null };

const kinds: readonly Kind[] = [
  {
    table: 'change_checks',
    turns: createCheckTurns,
    async insert(transaction, workspaceId, environmentId) {
      const id = newId();
      const head = { title: 'T', message: null, author: 'client:1', digest: '00'.repeat(32) };
      await insertRequest(transaction, { id, workspaceId, environmentId, ...head });
      await insertChecks(transaction, { workspaceId, id }, [task]);
    },
    claim: (database, turns) => claimCheck(database, turns, leaseMs),
  },
  {
    table: 'erasures',
    turns: createErasureTurns,
    insert: (transaction, workspaceId) =>
      insertErasure(transaction, { workspaceId, id: newId() }, { actor, erased: { reference: 'r' } }),
    claim: (database, turns) => claimErasure(database, turns, leaseMs),
  },
  {
    table: 'monitors',
    turns: createMonitorTurns,
    async insert(transaction, workspaceId, environmentId) {
      const monitor = { name: 'M', environmentId, window: '1h', condition: '> 1', measure: 'failed' } as const;
      // Of a decision that is not there.
      await transaction.raw('SET SESSION foreign_key_checks = 0');
      const request = { ...monitor, decisionId: newId() };
      const also = columnsOf(transaction, workspaceId, request);
      await monitors.insert(transaction, workspaceId, newMonitor(request), also);
      await transaction.raw('SET SESSION foreign_key_checks = 1');
    },
    claim: (database, turns) => claimMonitor(database, turns, leaseMs),
  },
  {
    table: 'replays',
    turns: createReplayTurns,
    insert: (transaction, workspaceId) =>
      insertReplay(transaction, { workspaceId, id: newId(), request: '{}', report: '{}', createdAt: new Date() }),
    claim: (database, turns) => claimJob(database, turns, leaseMs),
  },
  {
    table: 'retentions',
    turns: createRetentionTurns,
    insert: (transaction, workspaceId, environmentId) =>
      writeRetention(transaction, { workspaceId, environmentId }, { days: 1 }),
    claim: (database, turns) => claimRetention(database, turns, leaseMs),
  },
];

for (const { table, turns: createTurns, insert, claim } of kinds) {
  describe(`what is due of ${table}`, () => {
    let store: Store;
    /** Two workspaces of one tenant, and one of another. */
    let workspaces: readonly string[];
    beforeEach(async () => {
      store = await openScratchStore();
      const [one, other] = [await buildTenant(store), await buildTenant(store)].sort();
      workspaces = [
        await buildWorkspace(store, one),
        await buildWorkspace(store, one),
        await buildWorkspace(store, other),
      ];
    });
    afterEach(() => store.close());

    async function jobs(workspaceId: string, count: number): Promise<void> {
      for (let made = 0; made < count; made++) {
        const fields = { name: `E${made}`, description: null, color: '#fff' };
        const { id } = await environments.insert(store.database, workspaceId, fields);
        await store.database.transaction((transaction) => insert(transaction, workspaceId, id));
      }
    }

    /** Which tenants have the next turns. */
    async function claimed(turns: Turns, count: number): Promise<string[]> {
      const names: string[] = [];
      for (let turn = 0; turn < count; turn++) {
        const job = JSON.stringify((await claim(store.database, turns)) ?? null);
        names.push(job === 'null' ? 'none' : job.includes(workspaces[2] ?? '') ? 'other' : 'one');
      }
      return names;
    }

    it('is taken by tenants in turn, however many jobs and workspaces one has', async () => {
      await jobs(workspaces[0] ?? '', 4);
      await jobs(workspaces[1] ?? '', 4);
      await jobs(workspaces[2] ?? '', 2);
      const turns = createTurns();
      expect(await claimed(turns, 6)).to.deep.equal(['one', 'other', 'one', 'other', 'one', 'one']);
      expect(await claimed(turns, 5)).to.deep.equal([...Array<string>(4).fill('one'), 'none']);
      // What a dead process had is anybody's once its lease has ended.
      await store.database(table).update({ due_at: new Date(0) });
      expect(await claimed(turns, 2)).to.deep.equal(['other', 'one']);
    });

    it('is left to the others while a tenant is busy', async () => {
      await jobs(workspaces[0] ?? '', 3);
      await jobs(workspaces[2] ?? '', 1);
      const turns = createTurns();
      expect(await claimed(turns, 1)).to.deep.equal(['one']);
      const rows = await store
        .database(table)
        .select<{ hex: string }[]>(store.database.raw('LOWER(HEX(tenant_id)) AS hex'));
      const [busy = ''] = rows.map(({ hex }) => hex).sort();
      turns.busy.add(busy.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
      expect(await claimed(turns, 2)).to.deep.equal(['other', 'none']);
    });

    it('is found by its index, past what is not due', async () => {
      await jobs(workspaces[0] ?? '', 20);
      await store.database(table).update({ due_at: new Date('2100-01-01') });
      await jobs(workspaces[2] ?? '', 1);
      const statements: Knex.Sql[] = [];
      const note = (statement: Knex.Sql): void => void statements.push(statement);
      store.database.on('query', note);
      expect(await claimed(createTurns(), 1)).to.deep.equal(['other']);
      store.database.removeListener('query', note);
      for (const { sql, bindings } of statements.filter((one) => one.sql.includes(`${table}_tenant`))) {
        const [plan] = await planOf(store.database, sql, [...bindings] as Knex.RawBinding[]);
        expect(plan, JSON.stringify(plan)).to.include({ key: `${table}_tenant` });
        expect(plan?.Extra, JSON.stringify(plan)).to.not.match(/filesort/);
        if (sql.includes('group by')) expect(plan?.Extra, JSON.stringify(plan)).to.match(/for group-by/);
      }
    });
  });
}
