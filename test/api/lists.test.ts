import { expect } from 'chai';
import type { Knex } from 'knex';
import { deployments } from '../../src/deployments/deployments.store.js';
import { environments } from '../../src/environments/environments.store.js';
import type { PageRequest } from '../../src/storage/pages.js';
import { pageOfExecutions } from '../../src/runs/history.store.js';
import { idToBytes } from '../../src/storage/ids.js';
import { seedDeployments, seedExecutions, type Subject } from '../bench/seed.js';
import { buildDeployed } from '../support/deployed.js';
import { buildWorkspace, useStore } from '../support/factories.js';
import { planOf } from '../support/queryPlans.js';

describe('lists', () => {
  const store = useStore();

  it('a page and its total are of one moment, whatever is made meanwhile', async () => {
    const workspaceId = await buildWorkspace(store);
    const fields = { name: 'x', description: null, color: '#fff' };
    let going = true;
    const make = async (): Promise<void> => {
      while (going) await environments.insert(store.database, workspaceId, fields);
    };
    const making = Promise.all([make(), make()]);
    const whole = { size: 5000, after: null, before: null };
    for (let round = 0; round < 100; round++) {
      const { page } = await environments.list(store.database, workspaceId, whole);
      expect(page.size).to.equal(page.total);
    }
    going = false;
    await making;
  });

  describe('of thousands read the rows of a page, at any depth', () => {
    const rows = 4000;
    let subject: Subject;
    before(async () => {
      subject = await buildDeployed(store);
      const nothing = (): void => undefined;
      await seedDeployments(store.database, subject, rows, nothing);
      await seedExecutions(store.database, subject, () => ({ fact: '{"x":1}', result: '{"y":2}' }), rows, nothing);
      await store.database.raw('ANALYZE TABLE executions, deployments, environments');
    });

    const middleOf = async (table: string): Promise<Buffer> => {
      const all = store.database(table).where('workspace_id', idToBytes(subject.workspaceId));
      const [{ total }] = (await all.clone().count({ total: '*' })) as [{ total: number }];
      const [{ id }] = (await all
        .select('id')
        .orderBy('id')
        .offset(Math.floor(total / 2))) as [{ id: Buffer }];
      return id;
    };
    const lists: Record<string, (cursors: Pick<PageRequest, 'after' | 'before'>) => Promise<unknown>> = {
      environments: (cursors) => environments.list(store.database, subject.workspaceId, { size: 50, ...cursors }),
      deployments: (cursors) => deployments.list(store.database, subject.workspaceId, { size: 50, ...cursors }),
      executions: (cursors) =>
        pageOfExecutions(store.database, subject.workspaceId, {}, { size: 50, order: 'desc', ...cursors }),
    };
    for (const [table, direction] of [
      ['environments', 'after'],
      ['environments', 'before'],
      ['deployments', 'after'],
      ['deployments', 'before'],
      ['executions', 'after'],
      ['executions', 'before'],
    ] as const) {
      it(`${table}, ${direction} a cursor`, async () => {
        const cursor = await middleOf(table);
        const asked = await pageStatementOf(store.database, () =>
          lists[table]!({ after: null, before: null, [direction]: cursor }),
        );
        const plan = await planOf(store.database, asked!.sql, asked!.bindings);
        // `ref` would be all rows of the workspace up to the cursor.
        expect(plan[0], JSON.stringify(plan)).to.include({ type: 'range', key: `${table}_workspace` });
      });
    }
  });
});

interface Statement {
  readonly sql: string;
  readonly bindings: Knex.RawBinding[];
}

/** The statement by which the work reads a page. */
async function pageStatementOf(database: Knex, work: () => Promise<unknown>): Promise<Statement | undefined> {
  const statements: Statement[] = [];
  const note = (statement: Statement): void => void statements.push(statement);
  database.on('query', note);
  await work();
  database.removeListener('query', note);
  return statements.find(({ sql }) => sql.includes('limit'));
}
