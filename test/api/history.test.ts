import { expect } from 'chai';
import type { Knex } from 'knex';
import { randomUUID } from 'node:crypto';
import { countPrunable, pruneHistory, type PrunedTable } from '../../src/runs/prune.js';
import { openDatabase } from '../../src/storage/database.js';
import { idToBytes } from '../../src/storage/ids.js';
import { useApp } from '../support/app.js';
import { runVerdict, runVerdictJson } from '../support/cli.js';
import { buildDeployed, recordOf } from '../support/deployed.js';
import { buildClient, buildWorkspace, type BuiltClient, useStore } from '../support/factories.js';
import { numbers } from '../support/queryPlans.js';
import { writeRecord } from '../support/records.js';
import { remoteEnvironment } from '../support/remote.js';
import { testEnvironment } from '../support/settings.js';

interface Listed {
  readonly executions: readonly { id: string; createdAt: string }[];
  readonly page: { readonly after: string | null };
}

interface Pruned {
  readonly deleted: Readonly<Record<PrunedTable, number>>;
  readonly read: number;
}

describe('the history of executions', () => {
  const app = useApp();
  const store = useStore();
  let client: BuiltClient;
  let workspaceId: string;
  /** Records an execution as of then; gives its id. */
  let record: (createdAt: Date, result?: string) => Promise<string>;

  beforeEach(async () => {
    client = await buildClient(store);
    ({ workspaceId } = client);
    const deployed = await buildDeployed(store, workspaceId);
    record = async (createdAt, result = '{"error":"no"}') => {
      const time = createdAt.getTime().toString(16).padStart(12, '0');
      const id = `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
      const error = '{"code":"type_error","message":"no"}';
      const fields = { id, createdAt, status: 'FAILED', result, error, engineUs: 1500 } as const;
      await writeRecord(store.database, recordOf(deployed, fields));
      return id;
    };
  });

  const days = (count: number): Date => new Date(Date.UTC(2026, 0, count, 12));
  const asClient = (of = client) => ({ environment: remoteEnvironment(app, of) });
  const list = (...args: string[]) => runVerdictJson(['execution', 'list', ...args], asClient()) as Promise<Listed>;

  it('loses what is older than a date, in its workspace', async () => {
    for (const day of [1, 2, 3]) await record(days(day));
    const kept = await record(days(4));
    const other = await buildWorkspace(store);
    const prune = (workspace: string) =>
      runVerdictJson(['execution', 'prune', '--before', '2026-01-04', '--workspace', workspace]);
    expect(await prune(other)).to.have.nested.property('deleted.executions', 0);
    expect(await prune(workspaceId)).to.deep.equal({
      before: '2026-01-04T00:00:00.000Z',
      deleted: { executions: 3, evaluations: 0 },
    });
    expect((await list()).executions.map(({ id }) => id)).to.deep.equal([kept]);
  });

  it('is pruned and counted anew of workspaces that there are, and of no others', async () => {
    const nobody = randomUUID();
    for (const command of [
      ['execution', 'prune', '--before', '2026-01-04'],
      ['measures', 'recount', '--from', '2026-01-04'],
    ]) {
      const { code, stdout, stderr } = await runVerdict([...command, '--workspace', nobody]);
      expect({ code, stdout }, command.join(' ')).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.include(`There is no workspace ${nobody}.`);
    }
  });

  it('is pruned in chunks', async () => {
    await Promise.all(Array.from({ length: 1001 }, () => record(days(1))));
    const request = { before: days(2), workspaceId };
    expect(await countPrunable(store.database, request)).to.equal(1001);
    const steps: number[] = [];
    expect(await pruneHistory(store, request, (rows) => steps.push(rows))).to.deep.equal({
      executions: 1001,
      evaluations: 0,
    });
    expect(steps.filter((rows) => rows > 0)).to.deep.equal([500, 500, 1]);
  });

  describe('with 10,000 evaluations', () => {
    let database: Knex;
    beforeEach(async () => {
      database = openDatabase(testEnvironment().DATABASE_URL!, { poolSize: 1, acquireTimeoutMs: 30_000 });
      // What the index alone rules out is not counted as read otherwise.
      await database.raw("SET SESSION optimizer_switch = 'index_condition_pushdown=off'");
    });
    afterEach(() => database.destroy());

    /** Before anybody else's: half of them of 2000, half of 2002, all of three decisions; every nth is this workspace's. */
    const fill = async (nth: number): Promise<void> => {
      const place = { own: idToBytes(workspaceId), other: idToBytes(await buildWorkspace(store)) };
      const ids = `UNHEX(CONCAT(LPAD(HEX(UNIX_TIMESTAMP(made) * 1000), 12, '0'), LPAD(HEX(n), 20, '0')))`;
      await database.transaction(async (transaction) => {
        await transaction.raw('SET SESSION foreign_key_checks = 0');
        await transaction.raw(
          `INSERT INTO evaluations
            (id, workspace_id, decision_id, version, status, result, engine_us, request_id, principal, created_at)
          SELECT ${ids}, IF(n MOD :nth = 0, :own, :other), UNHEX(LPAD(HEX(n MOD 3), 32, '0')), 1, 'COMPLETED', '{}', 1,
            :own, 'p', made
          FROM (SELECT n, IF(n > 5000, '2002-01-01', '2000-01-01') AS made FROM (${numbers}) numbers) evaluated`,
          { ...place, nth },
        );
        await transaction.raw('SET SESSION foreign_key_checks = 1');
      });
      await database.raw('ANALYZE TABLE evaluations');
    };
    const rowsRead = async (): Promise<number> => {
      const [rows] = (await database.raw("SHOW SESSION STATUS LIKE 'Handler_read%'")) as [{ Value: string }[]];
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
    };
    /** How much is deleted in this workspace, and how many rows are read for it. */
    const prune = async (year: number): Promise<Pruned> => {
      const before = await rowsRead();
      const request = { before: new Date(Date.UTC(year, 0, 1)), workspaceId };
      const deleted = await pruneHistory({ ...store, database }, request, () => undefined);
      return { deleted, read: (await rowsRead()) - before };
    };
    const pruneAll = (year: number): Promise<Pruned['deleted']> =>
      pruneHistory(store, { before: new Date(Date.UTC(year, 0, 1)), workspaceId: undefined }, () => undefined);

    it('is pruned in one pass over the evaluations', async () => {
      await fill(1);
      const { deleted, read } = await prune(2001);
      expect(deleted).to.deep.equal({ executions: 0, evaluations: 5000 });
      // Each of 10,000 once, and those that are deleted once more.
      expect(read).to.be.within(10_000, 16_000);
      expect(await pruneAll(2003)).to.deep.equal({ executions: 0, evaluations: 5000 });
    });

    it('is pruned by the evaluations of its own workspace alone', async () => {
      await fill(8);
      const { deleted, read } = await prune(2001);
      expect(deleted).to.deep.equal({ executions: 0, evaluations: 625 });
      expect(read).to.be.within(1250, 3000);
      expect(await pruneAll(2003)).to.deep.equal({ executions: 0, evaluations: 9375 });
    });
  });
});
