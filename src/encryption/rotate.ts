import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { pause } from '../clock/timers.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { added, nothing, resealTable, type Resealed } from './reseal.js';
import { countNotOpening, countOtherSealers, sealingLeaseMs } from './sealingLease.js';
import { sealedChangeValues } from '../changes/sealedValue.js';
import { sealedEvidenceKeys } from '../evidence/keys.store.js';
import { sealedVariableHistory, sealedVariables } from '../environments/sealedVariable.js';
import { updateKeys } from '../inquiries/answers.store.js';
import { sealedInquiries } from '../inquiries/inquiries.store.js';
import { sealedDigestKeys } from '../oauth/digestKeys.store.js';
import { sealedSigningKeys } from '../oauth/keys.store.js';
import { sealedCallbacks } from '../outbox/callbacks.store.js';
import { sealedMessages } from '../outbox/message.js';
import { executionKeys } from '../runs/idempotency.js';
import type { SealedTable } from '../storage/sealedTable.js';

export interface EncryptionRotation {
  /** The id of the key that everything is sealed with now, in hex. */
  readonly keyId: string;
  /** Values that were sealed anew. */
  readonly resealed: number;
  /** Values that no known key opens; they are as they were. */
  readonly unreadable: number;
  /** Server processes that still seal with another key. */
  readonly otherSealers: number;
}

interface Options extends Writer {
  readonly encryption: Encryption;
  /** Called with the number of rows that were looked at. */
  readonly onRows?: (rows: number) => void;
  /** Seals although a server process could not open it: that one fails from then on. */
  readonly force?: boolean;
  /** Called when processes that seal with another key are waited for. */
  readonly onWait?: (processes: number) => void;
  /** How long they are waited for. One that lives renews its lease meanwhile; one that was killed does not. */
  readonly waitMs?: number;
}

const pollMs = 500;

/** Server processes could not open what would be sealed; nothing was changed. */
export class KeyNotKnown extends Error {
  override readonly name = 'KeyNotKnown';
  readonly processes: number;
  constructor(processes: number) {
    super(`${processes} server processes do not know the present key`);
    this.processes = processes;
  }
}

/**
 * Seals everything with the present master key, beside servers that know both keys. It ends after a pass that found
 * nothing of another key, and that began when no process sealed with another key any more; while `otherSealers` is not 0,
 * there was no such pass. Rejects with `KeyNotKnown`.
 */
export async function rotateEncryption(options: Options): Promise<EncryptionRotation> {
  const { database, encryption } = options;
  const keyId = encryption.keyId.toString('hex');
  if (options.force !== true) {
    const unable = await countNotOpening(database, encryption);
    if (unable > 0) throw new KeyNotKnown(unable);
  }
  await inTransaction(database, (transaction) => appendAuditEntries(transaction, [entryOf(options.actor, keyId)]));
  let pass = await sealAll(options, options.onRows);
  for (let resealed = pass.resealed; ; resealed += pass.resealed) {
    const otherSealers = await waitForOthers(options);
    if (otherSealers > 0) return { keyId, resealed, unreadable: pass.unreadable, otherSealers };
    pass = await sealAll(options);
    if (pass.resealed + pass.missed === 0) return { keyId, resealed, unreadable: pass.unreadable, otherSealers };
  }
}

/** Rows of all sealed tables, as MySQL estimates them: to count them would take as long as to seal them. */
export async function estimateSealedRows(database: Knex): Promise<number> {
  const [row] = await database('information_schema.tables')
    .where('table_schema', database.raw('DATABASE()'))
    .whereIn(
      'table_name',
      sealedTables.map(({ table }) => table),
    )
    .sum<{ total: number | string | null }[]>({ total: 'table_rows' });
  return Number(row?.total ?? 0);
}

async function sealAll(
  stores: { readonly database: Knex; readonly encryption: Encryption },
  onRows: (rows: number) => void = () => undefined,
): Promise<Resealed> {
  let sum: Resealed = nothing;
  for (const table of sealedTables) sum = added(sum, await resealTable(stores, table, onRows));
  return sum;
}

async function waitForOthers({ database, encryption, onWait, ...options }: Options): Promise<number> {
  const deadline = performance.now() + (options.waitMs ?? sealingLeaseMs + 5000);
  let others = await countOtherSealers(database, encryption);
  if (others > 0) onWait?.(others);
  while (others > 0 && performance.now() < deadline) {
    await pause(pollMs);
    others = await countOtherSealers(database, encryption);
  }
  return others;
}

const entryOf = (actor: Actor, keyId: string): NewAuditEntry => ({
  actor,
  workspaceId: null,
  action: 'encryption.rotate',
  resource: { type: 'encryption', id: keyId },
  before: null,
  after: { keyId },
});

/** Every table with sealed columns; a test holds that no column of bytes is missing. */
export const sealedTables: readonly SealedTable[] = [
  sealedDigestKeys,
  sealedSigningKeys,
  sealedEvidenceKeys,
  sealedCallbacks,
  sealedVariables,
  sealedVariableHistory,
  sealedChangeValues,
  sealedInquiries,
  updateKeys.sealed,
  sealedMessages,
  executionKeys.sealed,
];
