import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { useOwnApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import { call, type Answer } from '../support/http.js';
import { expressing } from '../support/models.js';
import { testDatabase, useScene } from '../support/scene.js';
import { recordedRows } from '../support/records.js';

// A planned switch-over of Group Replication: for a moment the old primary refuses to write to tables with cascading
// foreign keys (3098), before it may only be read.

describe('a primary that is being replaced', () => {
  const app = useOwnApp();
  const scene = useScene(app);
  let path: string;
  let environmentId: string;
  before(async () => {
    const replaced = await scene.deployed('replaced.json', expressing({ y: 'x + 1' }));
    ({ environmentId } = replaced);
    path = `/logic/${environmentId}/decisions/${replaced.decisionId}`;
  });
  beforeEach(() =>
    testDatabase().raw(
      `CREATE TRIGGER primary_changes BEFORE INSERT ON executions FOR EACH ROW
       SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 3098, MESSAGE_TEXT = 'The table does not comply'`,
    ),
  );
  afterEach(() => replaced());
  const replaced = (): Promise<unknown> => testDatabase().raw('DROP TRIGGER IF EXISTS primary_changes');

  const recorded = async (ids: readonly string[]): Promise<number> => {
    const rows = (await testDatabase()('executions').whereIn('id', ids.map(idToBytes))) as object[];
    return rows.length;
  };
  const repeats = async (): Promise<number> => {
    const { text } = await call(`${app.adminUrl}/metrics`);
    return Number(/^verdict_recorder_repeated_statements_total (\d+)$/m.exec(text)?.[1]);
  };
  /** Asks, and lets the new primary take over once the record was refused. */
  const askMeanwhile = async (to: string, body: object): Promise<Answer> => {
    const before = await repeats();
    const answer = scene.caller.post(to, body);
    await eventually(async () => (await repeats()) > before);
    await replaced();
    return answer;
  };

  it('an execution waits for the new one, and is recorded once', async () => {
    const { status, text, body } = await askMeanwhile(`${path}/executions`, { fact: { x: 1 } });
    expect(status, text).to.equal(201);
    const { id, result } = body as { id: string; result: unknown };
    expect(result).to.deep.equal({ y: 2 });
    expect(await recorded([id])).to.equal(1);
  });

  it('a batch waits for the new one, and each of its items is recorded once', async () => {
    const items = [1, 2, 3].map((x) => ({ fact: { x } }));
    const { status, text, body } = await askMeanwhile(`${path}/batches`, { items });
    expect(status, text).to.equal(200);
    const answered = (body as { items: { id: string; result: unknown }[] }).items;
    expect(answered.map(({ result }) => result)).to.deep.equal([{ y: 2 }, { y: 3 }, { y: 4 }]);
    expect(await recorded(answered.map(({ id }) => id))).to.equal(3);
  });

  it('an execution with a key is 503, and repeated with it recorded once', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const ask = (): Promise<Answer> => scene.caller.post(`${path}/executions`, { fact: { x: 7 } }, headers);
    expectProblem(await ask(), 'dependency_unavailable', {
      instance: `${path}/executions`,
      detail: 'The database did not take the record of this execution in time.',
      headers: { 'Retry-After': '1' },
    });
    await replaced();
    const answer = await eventually(async () => {
      const again = await ask();
      return again.status === 409 ? undefined : again;
    });
    expect(answer.status, answer.text).to.equal(201);
    expect((await ask()).text).to.equal(answer.text);
    const rows = (await recordedRows(testDatabase()).where({
      environment_id: idToBytes(environmentId),
      fact: '{"x":7}',
    })) as object[];
    expect(rows).to.have.length(1);
  });
});
