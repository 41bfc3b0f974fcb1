import { pino } from 'pino';
import { createKeptHeads, type KeptHeads } from '../../src/evidence/keptHeads.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import { originIn } from '../../src/evidence/origin.js';
import { createRecords } from '../../src/evidence/records.js';
import { createSequencer, type EvidenceState } from '../../src/evidence/sequencer.js';
import type { PollLoop } from '../../src/clock/pollLoop.js';
import { leavesFrom, type Leaf } from '../../src/evidence/leaves.store.js';
import type { RefusalReason } from '../../src/evidence/trees.store.js';
import type { Witness } from '../../src/evidence/witness.js';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { Scheduler } from '../../src/admission/scheduler.js';
import { idFromBytes, idToBytes, newId } from '../../src/storage/ids.js';
import type { Store } from './factories.js';
import { testPace } from './settings.js';

export const issuer = 'https://verdict.example';

/** What a sequencer has of its own, where a test looks at it. */
interface SequencerParts {
  readonly witness?: Witness | null;
  readonly refused?: Map<string, RefusalReason>;
  readonly kept?: KeptHeads;
  readonly state?: EvidenceState;
  readonly budget?: ByteBudget;
}

/** A sequencer as a server has one, on that store. */
export function sequencerOn(
  { database, encryption }: Pick<Store, 'database' | 'encryption'>,
  { witness = null, refused = new Map<string, RefusalReason>(), ...parts }: SequencerParts = {},
): PollLoop {
  return createSequencer({
    pollMs: testPace.evidencePoll,
    restMs: testPace.evidenceRest,
    sendMs: testPace.evidenceSend,
    database,
    keys: createEvidenceKeys({ database, encryption }),
    records: createRecords({ database, encryption }),
    budget: new ByteBudget(256 * 1024 * 1024),
    scheduler: new Scheduler({ maxWaitMs: 2000 }),
    originOf: originIn(issuer),
    log: pino({ level: 'silent' }),
    state: { refused, completeAt: undefined },
    kept: createKeptHeads(null),
    lateMs: 60_000,
    witness,
    ...parts,
  });
}

/** Writes audit entries of a workspace, made so many milliseconds ago. Gives their ids. */
export async function writeEntries(
  { database }: Pick<Store, 'database'>,
  workspaceId: string,
  { count, agoMs = 0 }: { readonly count: number; readonly agoMs?: number },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => idAgo(agoMs));
  for (let at = 0; at < count; at += 500) {
    await database('audit_entries').insert(
      ids.slice(at, at + 500).map((id, index) => ({
        id: idToBytes(id),
        workspace_id: idToBytes(workspaceId),
        principal: 'operator:test',
        action: 'thing.update',
        resource_type: 'thing',
        resource_id: String(at + index),
        after_state: `{"number":1.${'0'.repeat(20)}${at + index}}`,
        created_at: new Date(Date.now() - agoMs),
      })),
    );
  }
  return ids;
}

/** An id as it would have been made so many milliseconds ago. */
export function idAgo(agoMs: number): string {
  const bytes = idToBytes(newId());
  bytes.writeUIntBE(Date.now() - agoMs, 0, 6);
  return idFromBytes(bytes);
}

/** All leaves of a workspace, in their order. */
export async function allLeaves({ database }: Pick<Store, 'database'>, workspaceId: string): Promise<Leaf[]> {
  const leaves: Leaf[] = [];
  for (let page = await leavesFrom(database, workspaceId, { position: 0, size: 1000 }); page.length > 0;) {
    leaves.push(...page);
    page = await leavesFrom(database, workspaceId, { position: leaves.length, size: 1000 });
  }
  return leaves;
}
