import { expect } from 'chai';
import type { Knex } from 'knex';
import { appendAuditEntries, listAuditEntries } from '../../src/audit/audit.store.js';
import { chargeRequests } from '../../src/changes/chargeRequests.js';
import { readReports } from '../../src/changes/checks.store.js';
import { newItems, insertItems } from '../../src/changes/items.store.js';
import { pageOfRequests } from '../../src/changes/list.store.js';
import { heads, newHead } from '../../src/changes/requests.store.js';
import { putContents } from '../../src/decisions/contents.store.js';
import { contentBytes } from '../../src/decisions/readVersion.js';
import { environments } from '../../src/environments/environments.store.js';
import { pageOfVariables, setVariable } from '../../src/environments/variables.store.js';
import { Problem } from '../../src/errors.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { buildWorkspace, testActor, useStore } from '../support/factories.js';

const rows = 30;
const longText = 'x'.repeat(20_000);
const whole = { size: 5000, after: null, before: null };

describe('what a list would hold', () => {
  const store = useStore();
  let workspaceId: string;
  let environmentId: string;
  let requestIds: string[];
  let hashes: string[];
  before(async () => {
    const { database, encryption } = store;
    workspaceId = await buildWorkspace(store);
    const fields = { name: 'E', description: 'x'.repeat(4000), color: '#fff' };
    const made = [];
    for (let row = 0; row < rows; row++) made.push(await environments.insert(database, workspaceId, fields));
    environmentId = made[0]!.id;
    for (let row = 0; row < rows; row++) {
      const fields = { name: `V${row}`, value: longText, secret: false };
      await setVariable({ ...store, actor: testActor }, { workspaceId, environmentId }, fields);
    }
    hashes = Array.from({ length: 2 }, () => newId().replaceAll('-', '').repeat(2));
    const half = `"${longText.repeat(rows / 2)}"`;
    await putContents(
      database,
      hashes.map((hash) => ({ hash, text: half, subDecisions: [] })),
    );
    requestIds = Array.from({ length: rows }, () => newId());
    await database.transaction(async (transaction) => {
      const states = { before: null, after: { name: longText } };
      const entry = {
        actor: testActor,
        workspaceId,
        action: 'policy.create',
        resource: { type: 'policy', id: '1' },
        ...states,
      } as const;
      await appendAuditEntries(transaction, Array<typeof entry>(rows).fill(entry));
      for (const id of requestIds) {
        const head = { title: 'T', message: null, author: 'client:1', digest: '00'.repeat(32) };
        await heads.insert(transaction, workspaceId, { ...newHead, id, environmentId, ...head });
        const change = { type: 'variable', name: 'V', value: longText, secret: false } as const;
        await insertItems(transaction, workspaceId, newItems(encryption, id, [change], []));
      }
      await transaction('change_checks').insert(
        Array.from({ length: rows }, () => ({
          ...{ id: idToBytes(newId()), change_request_id: idToBytes(requestIds[0]!) },
          ...{
            workspace_id: idToBytes(workspaceId),
            decision_id: idToBytes(newId()),
            decision_key: 'k',
            version: 1,
          },
          ...{ name: 'tests', wanted: '', state: 'PASSED', report: JSON.stringify(longText) },
        })),
      );
    });
  });

  type Account = { grow(bytes: number): void };
  /** Each reads texts of so many bytes for each row, in columns that its statements name. */
  const lists: Readonly<
    Record<
      string,
      { readonly bytes: number; readonly read: RegExp; readonly list: (account: Account) => Promise<unknown> }
    >
  > = {
    environments: {
      bytes: 4000,
      read: /^select (?!.*LENGTH).*`description`/,
      list: (account) => environments.list(store.database, workspaceId, { ...whole, account }),
    },
    variables: {
      bytes: longText.length,
      read: /^select (?!.*LENGTH).*`value`/,
      list: (account) => pageOfVariables(store, { workspaceId, environmentId }, { ...whole, account }),
    },
    'audit entries': {
      bytes: longText.length,
      read: /^select (?!.*LENGTH).*`after_state`/,
      list: (account) => listAuditEntries(store.database, workspaceId, {}, { ...whole, account }),
    },
    'change requests': {
      bytes: longText.length,
      read: /^select (?!.*LENGTH).*`value`/,
      list: (account) => pageOfRequests(store, workspaceId, {}, { ...whole, account }),
    },
    'a change request': {
      bytes: longText.length / rows,
      read: /^select (?!.*LENGTH).*`value`/,
      list: (account) => chargeRequests(store.database, { workspaceId, ids: [requestIds[0]!] }, account),
    },
    'two versions that are compared': {
      bytes: longText.length,
      read: /^select .*\bbody\b/,
      list: (account) => contentBytes(store.database, hashes, account),
    },
    'reports of checks': {
      bytes: longText.length,
      read: /^select (?!.*LENGTH).*`report`/,
      list: (account) => readReports(store.database, { workspaceId, id: requestIds[0]! }, account),
    },
  };

  const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    const statements: string[] = [];
    const note = ({ sql }: Knex.Sql): void => void statements.push(sql);
    store.database.on('query', note);
    try {
      await work();
      return statements;
    } finally {
      store.database.removeListener('query', note);
    }
  };

  for (const [name, { bytes, read, list }] of Object.entries(lists)) {
    it(`${name}: is charged before it is read, and not read where it is refused`, async () => {
      let charged = 0;
      await list({ grow: (more) => void (charged += more) });
      expect(charged).to.be.within(2 * rows * bytes, 20 * rows * bytes);
      const refusal = new Problem('overloaded', 'full', { retryAfter: 1 });
      const refuse = (): never => {
        throw refusal;
      };
      const statements = await statementsOf(async () => {
        const thrown = await list({ grow: refuse }).catch((error: unknown) => error);
        expect(thrown).to.equal(refusal);
      });
      expect(statements).to.not.have.length(0);
      expect(statements.filter((sql) => read.test(sql))).to.deep.equal([]);
    });
  }
});
