import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { setVariable } from '../../src/environments/variables.store.js';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import type { Problem } from '../../src/errors.js';
import { createIsAltered } from '../../src/evidence/alteration.js';
import { createRecords } from '../../src/evidence/records.js';
import { tenantsOf } from '../../src/evidence/subjects.store.js';
import { findTree } from '../../src/evidence/trees.store.js';
import { findWholeExecution } from '../../src/runs/history.store.js';
import { idFromBytes, idToBytes, newId } from '../../src/storage/ids.js';
import { verdict } from '../support/cliProcess.js';
import { buildDeployed, recordOf, testContext, type Deployed } from '../support/deployed.js';
import { eventually } from '../support/eventually.js';
import { idAgo, sequencerOn, writeEntries } from '../support/evidence.js';
import { testActor, useScratchStore } from '../support/factories.js';
import { writeRecords } from '../support/records.js';
import { testEnvironment } from '../support/settings.js';

const mebibyte = 1024 * 1024;
/** A heap that has room for some texts of a large configuration, and not for those of a piece. */
const heapOption = '--max-old-space-size=200';

describe('records of executions with nearly 4 MiB of variables', () => {
  const store = useScratchStore();
  let deployed: Deployed;
  let sequencer: PollLoop | undefined;
  let child: ChildProcess | undefined;

  /** So many executions that saw the variables. */
  async function executed(count: number): Promise<void> {
    let revision = 0;
    for (let number = 0; number < 4; number++) {
      const variable = { name: `LARGE_${number}`, value: 'x'.repeat(1_000_000), secret: false };
      ({ revision } = await setVariable({ ...store, actor: testActor }, deployed, variable));
    }
    const context = { ...testContext, configurationRevision: revision };
    const createdAt = new Date(Date.now() - 600_000);
    const records = Array.from({ length: count }, () => recordOf(deployed, { id: idAgo(600_000), createdAt, context }));
    await writeRecords(store.database, records);
  }
  const leaves = async (workspaceId = deployed.workspaceId): Promise<number> =>
    (await findTree(store.database, workspaceId))?.size ?? 0;
  /** All that gets a leaf: the audit entries of what was written before, too. */
  async function all(): Promise<number> {
    const owner = { workspace_id: idToBytes(deployed.workspaceId) };
    const counted = await Promise.all(
      ['executions', 'audit_entries'].map((table) => store.database(table).where(owner).count({ total: '*' })),
    );
    return counted.reduce((sum, [row]) => sum + Number(row!['total']), 0);
  }

  beforeEach(async () => {
    deployed = await buildDeployed(store);
  });
  afterEach(async () => {
    await sequencer?.stop();
    if (child === undefined || child.exitCode !== null || child.signalCode !== null || !child.kill('SIGKILL')) return;
    await once(child, 'exit');
  });

  it('are sequenced and checked with the memory that one of them takes', async () => {
    await executed(55);
    child = fork(new URL('../support/killed-sequencer.js', import.meta.url), [store.url], {
      execArgv: [heapOption],
      silent: true,
    });
    const wanted = await all();
    await eventually(async () => child?.exitCode !== null || child.signalCode !== null || (await leaves()) === wanted);
    expect([child.exitCode, child.signalCode], 'how the sequencing process ended').to.deep.equal([null, null]);
    expect(await leaves()).to.equal(wanted);

    const environment = { ...testEnvironment(), DATABASE_URL: store.url, NODE_OPTIONS: heapOption };
    const { code, stdout, stderr } = await verdict(['evidence', 'check', '--json'], { environment });
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({ leaves: wanted, findings: [] });
  });

  it('are made into text on the account of their tenant: they wait where that is full', async () => {
    await executed(3);
    const budget = new ByteBudget(256 * mebibyte);
    for (const owner of await tenantsOf(store.database, [deployed])) budget.owners.learn(owner);
    // What is left has room for the rows, and for no text of the variables.
    const held = budget.reserve(deployed.workspaceId, 86 * mebibyte);
    sequencer = sequencerOn(store, { budget });
    sequencer.start();
    const other = newId();
    for (let count = 1; count <= 3; count++) {
      await writeEntries(store, other, { count: 1 });
      await eventually(async () => (await leaves(other)) === count);
    }
    const [row] = await store.database('evidence_leaves').where({ kind: 'execution' }).count({ total: '*' });
    expect(Number(row!['total']), 'leaves of executions').to.equal(0);
    held.release();
    const wanted = await all();
    await eventually(async () => (await leaves()) === wanted);
    await sequencer.stop();
    expect(budget.status()).to.deep.include({ bytesInFlight: 0, bytesHeldAfterEnd: 0 });

    const [first] = (await store.database('executions').select('id').limit(1)) as { id: Buffer }[];
    const execution = (await findWholeExecution(store.database, deployed.workspaceId, idFromBytes(first!.id)))!;
    for (const [capacity, code] of [
      [24 * mebibyte, 'overloaded'],
      [256 * mebibyte, undefined],
    ] as const) {
      const isAltered = createIsAltered({ database: store.database, records: createRecords(store) });
      const reservation = new ByteBudget(capacity).reserve(deployed.workspaceId, 0);
      const answer = await isAltered(execution, reservation).catch((error: unknown) => (error as Problem).code);
      expect(answer).to.equal(code ?? false);
      expect(reservation.bytes, 'left on the account').to.equal(0);
    }
  });
});
