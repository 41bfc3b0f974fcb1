import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { readDays } from '../../src/runs/days/days.js';
import { mendDividing } from '../../src/runs/days/divide.js';
import { createRecorder } from '../../src/runs/recorder.js';
import type { ExecutionRecord } from '../../src/runs/recorder/record.js';
import { idFromBytes, idTime, newId } from '../../src/storage/ids.js';
import { atOnce } from '../support/atOnce.js';
import { buildDeployed, recordOf, type Deployed } from '../support/deployed.js';
import { eventually } from '../support/eventually.js';
import { openScratchStore, type Store } from '../support/factories.js';

describe('dividing the table of executions', function () {
  this.timeout(300_000);
  let store: Store & { readonly url: string };
  let deployed: Deployed;
  before(async () => {
    store = await openScratchStore();
    deployed = await buildDeployed(store);
  });
  after(() => store.close());

  it('loses no record, whichever statement its process was killed before, and goes on from there', async () => {
    const { database } = store;
    const recorder = createRecorder({
      ...{ database, records: database, layout: { isNarrow: true } },
      ...{ recordFacts: true, scheduler: atOnce },
    });
    const recorded: string[] = [];
    const record = async (): Promise<void> => {
      const id = newId();
      const one: ExecutionRecord = recordOf(deployed, { id, createdAt: idTime(id) });
      await recorder.recordExecution(one);
      recorded.push(id);
    };
    const there = async (): Promise<string[]> =>
      ((await database('executions').select('id').orderBy('id')) as { id: Buffer }[]).map(({ id }) => idFromBytes(id));
    const script = join(import.meta.dirname, '..', 'support', 'killed-divide.js');
    let isDone = false;
    for (let statements = 0; !isDone; statements++) {
      if ((await readDays(database)).length > 0) await database.raw('ALTER TABLE executions REMOVE PARTITIONING');
      await record();
      const child = fork(script, [store.url, String(statements)]);
      const [code] = (await once(child, 'exit')) as [number | null];
      isDone = code === 0;
      // As servers do each second. Statements of the process that is gone may still take the table away meanwhile.
      await eventually(async () => {
        await mendDividing(database).catch(() => false);
        return record().then(
          () => true,
          () => false,
        );
      });
      await eventually(async () => {
        await mendDividing(database).catch(() => false);
        const found = await there().catch(() => []);
        return found.join() === recorded.join();
      });
      expect(statements).to.be.below(200);
    }
    expect((await readDays(database)).length).to.be.above(5);
    const [tables] = (await database.raw("SHOW TABLES LIKE 'executions\\_%'")) as [unknown[]];
    expect(tables).to.deep.equal([]);
  });
});
