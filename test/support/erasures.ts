import type { Knex } from 'knex';
import { pino } from 'pino';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { erasureJobs } from '../../src/erasures/erasureJobs.js';
import { insertErasure, type Erased } from '../../src/erasures/erasures.store.js';
import { createKeptHeads } from '../../src/evidence/keptHeads.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import { originIn } from '../../src/evidence/origin.js';
import { createRecords } from '../../src/evidence/records.js';
import { createJobLoop } from '../../src/jobs/jobLoop.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { issuer } from './evidence.js';
import { testActor, type Store } from './factories.js';

/** Erases what is to be, as a process does. Executions have settled at once, unless a test says otherwise. */
export function erasureLoop(
  { database, encryption }: Pick<Store, 'database' | 'encryption'>,
  { settledMs = 0, lateMs = 0, leaseMs = 60_000 } = {},
): PollLoop {
  const work = erasureJobs({
    ...{ database, originOf: originIn(issuer), kept: createKeptHeads(null), settledMs, lateMs: () => lateMs },
    keys: createEvidenceKeys({ database, encryption }),
    records: createRecords({ database, encryption }),
    budget: new ByteBudget(256 * 1024 * 1024),
  });
  return createJobLoop({ database, log: pino({ level: 'silent' }), pollMs: 20, leaseMs }, [work]);
}

/** Asks for an erasure, as a request does. */
export const askErasure = (database: Knex, workspaceId: string, erased: Erased): Promise<void> =>
  database.transaction((transaction) =>
    insertErasure(transaction, { workspaceId, id: newId() }, { actor: testActor, erased }),
  );

/** How many erasures of a workspace are not done. */
export async function waitingErasures(database: Knex, workspaceId: string): Promise<number> {
  const waiting = database('erasures').where({ workspace_id: idToBytes(workspaceId), completed_at: null });
  return ((await waiting.select('id')) as unknown[]).length;
}
