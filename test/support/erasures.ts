import type { Knex } from 'knex';
import { pino } from 'pino';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { erasureJobs } from '../../src/erasures/erasureJobs.js';
import { insertErasure } from '../../src/erasures/erasures.store.js';
import { createKeptHeads, type KeptHeads } from '../../src/evidence/keptHeads.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import { originIn } from '../../src/evidence/origin.js';
import { createRecords } from '../../src/evidence/records.js';
import { createJobLoop } from '../../src/jobs/jobLoop.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { eventually } from './eventually.js';
import { issuer } from './evidence.js';
import { testActor, type Store } from './factories.js';

/** What the loop of this test has logged. */
let said: string[] = [];

/** Erases what is to be, as a process does. Executions have settled at once, unless a test says otherwise. */
export function erasureLoop(
  { database, encryption }: Pick<Store, 'database' | 'encryption'>,
  {
    settledMs = 0,
    lateMs = 0,
    leaseMs,
    kept = createKeptHeads(null),
  }: { settledMs?: number; lateMs?: number; leaseMs?: number; kept?: KeptHeads } = {},
): PollLoop {
  const work = erasureJobs({
    ...{ database, originOf: originIn(issuer), kept, settledMs, lateMs: () => lateMs },
    keys: createEvidenceKeys({ database, encryption }),
    records: createRecords({ database, encryption }),
    budget: new ByteBudget(256 * 1024 * 1024),
  });
  said = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
  return createJobLoop({ database, log, pollMs: 20, ...(leaseMs === undefined ? {} : { leaseMs }) }, [work]);
}

/** Asks for an erasure, as a request does. */
export const askErasure = (
  database: Knex,
  workspaceId: string,
  {
    reference = null,
    executionIds = [],
  }: { readonly reference?: string | null; readonly executionIds?: readonly string[] },
): Promise<void> =>
  database.transaction((transaction) =>
    insertErasure(transaction, { workspaceId, id: newId() }, { actor: testActor, reference, executionIds }),
  );

/** How many erasures of a workspace are not done. */
async function waitingErasures(database: Knex, workspaceId: string): Promise<number> {
  const waiting = database('erasures').where({ workspace_id: idToBytes(workspaceId), completed_at: null });
  return ((await waiting.select('id')) as unknown[]).length;
}

/** Waits until all erasures of a workspace are done. Where that does not come, the error says what their jobs wait for. */
export async function erasuresDone(database: Knex, workspaceId: string): Promise<void> {
  const waiting = eventually(async () => (await waitingErasures(database, workspaceId)) === 0);
  await waiting.catch(async (error: unknown) => {
    const jobs = (await database('jobs').where('kind', 'erasure').limit(10).select()) as object[];
    throw new Error(`${String(error)}\n${JSON.stringify(jobs)} at ${new Date().toISOString()}\n${said.join('')}`);
  });
}
