import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { written } from '../../support/auditEntries.js';
import type { Answer } from '../../support/http.js';
import { pathOf, send, type Described } from '../../support/operations/operations.js';
import type { Named } from '../../support/operations/reach.js';
import { createReadRows, type ReadRows } from '../../support/operations/world.js';
import { writeNothing, writes, type Write } from '../../support/operations/writes.js';
import { testDatabase, useFreshScene } from '../../support/scene.js';
import { operationsThat } from './stage.js';

const writing = operationsThat(({ method }) => method !== 'GET');
const requestId = '01934f5e-7a60-7e08-9d13-4c2b8a5f1e07';

describe('the contract: an audit entry', () => {
  it('is appended by each operation that is not a GET, or it writes nothing', () => {
    expect(writing.map(({ id }) => id)).to.have.members([...Object.keys(writes), ...writeNothing]);
  });

  const app = useApp();
  const scene = useFreshScene(app);
  /** What each write asks in a workspace of its own, under an id by which its entries are known. */
  const ask = (operation: Described, { headers = {}, ...named }: Named): Promise<Answer> =>
    send(
      app.baseUrl,
      operation,
      { ...named, headers: { ...headers, 'X-Request-Id': requestId } },
      { authorization: `Bearer ${scene.token}`, workspaceId: scene.workspaceId },
    );
  const writeOf = ({ id }: Described): Write => writes[id] ?? expect.fail(`${id} is not in the table`);

  for (const operation of writing.filter(({ id }) => !writeNothing.includes(id))) {
    it(`of ${operation.id} says what was done, by whom, and in which request`, async () => {
      const { action, request } = writeOf(operation);
      const named = await request(scene);
      const entries = await written(testDatabase(), async () => {
        const answer = await ask(operation, named);
        expect(answer.status, answer.text).to.be.oneOf([200, 201, 202, 204]);
      });
      expect(entries.at(-1)?.action).to.equal(action);
      for (const entry of entries) {
        expect([entry.principal, entry.requestId]).to.deep.equal([`client:${scene.client.id}`, requestId]);
      }
    });
  }

  describe('that cannot be appended', () => {
    let readRows: ReadRows;
    before(async () => {
      readRows = await createReadRows(testDatabase());
      await testDatabase().raw(
        `CREATE TRIGGER refuse_entries BEFORE INSERT ON audit_entries FOR EACH ROW
           IF NEW.request_id = UNHEX(?) THEN SIGNAL SQLSTATE '45000'; END IF`,
        [requestId.replaceAll('-', '')],
      );
    });
    after(() => testDatabase().raw('DROP TRIGGER refuse_entries'));

    for (const operation of writing.filter(({ id }) => !writeNothing.includes(id))) {
      it(`leaves nothing of ${operation.id}`, async () => {
        const named = await writeOf(operation).request(scene);
        const before = await readRows(scene);
        expectProblem(await ask(operation, named), 'internal_error', { instance: pathOf(operation, named.params) });
        expect(await readRows(scene)).to.equal(before);
      });
    }
  });
});
