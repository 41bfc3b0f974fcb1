import type { Knex } from 'knex';
import type { ChangesAnswer, ModelWork } from '../../../workers/models/index.js';
import type { Reservation } from '../../admission/byteBudget.js';
import { within } from '../../clock/timers.js';
import type { Content } from '../contents.store.js';
import { contentBytes } from '../readVersion.js';
import { requireFinished } from '../programs/requireFinished.js';
import type { DecisionIndex, DecisionEntry } from '../decisionIndex.js';
import type { Caller } from './checkContents.js';

/** How much of a node changed, as the audit trail shows it; never what changed. */
type AuditedChange = Omit<ChangesAnswer['changes'][number], 'sentences'>;

/** What changed within working copies, by the ids of their decisions. */
export type AuditedChanges = ReadonlyMap<string, readonly AuditedChange[]>;

/** Working copies as they would be. */
interface Changed {
  readonly contents: readonly Content[];
  readonly updated: readonly DecisionEntry[];
}

/** Nodes that an entry names; more would not fit a sentence. */
const maxNodes = 20;
/** Working copies of one write whose nodes are named; entries of others of a large import only say that they changed. */
const maxDecisions = 50;
/** How long a write may wait for it in all its rounds, in milliseconds; what is not known by then is left out of the entries. */
const maxWaitMs = 500;

/**
 * For one write: finds what it changes of working copies, since no earlier state is kept of which it could be found later. A copy is
 * left out where no thread or memory is free in time, because no write is to fail or to wait long for the sake of its entry.
 */
export function createAuditedChanges(
  { database, models }: { readonly database: Knex; readonly models: ModelWork },
  { workspaceId, reservation }: Caller,
): (before: Pick<DecisionIndex, 'find'>, writes: Changed) => Promise<AuditedChanges> {
  /** By the hashes from and to, so that a second round compares nothing again. */
  const known = new Map<string, readonly AuditedChange[]>();
  let leftMs = maxWaitMs;

  async function compare(from: string, to: string | Uint8Array): Promise<readonly AuditedChange[]> {
    if (reservation === undefined) return [];
    // Held by themselves: who stops to wait for the comparison ends no thread that is at it.
    const parts: Reservation[] = [];
    const grow = (bytes: number): void => {
      reservation.grow(bytes);
      parts.push(reservation.split(bytes));
    };
    try {
      const bytesOf = await contentBytes(database, [from], { grow });
      const after = typeof to === 'string' ? new TextEncoder().encode(to) : to;
      const task = { kind: 'changesInWords', from: bytesOf(from), to: after } as const;
      const { changes } = requireFinished(await models.work(workspaceId, task));
      return changes.slice(0, maxNodes).map(({ sentences: _, ...change }) => change);
    } finally {
      for (const part of parts) part.release();
    }
  }

  return async (before, { contents, updated }) => {
    const texts = new Map(contents.map(({ hash, text }) => [hash, text]));
    const changed = updated.flatMap(({ id, contentHash: hash }: DecisionEntry) => {
      const from = before.find(id)?.contentHash;
      const to = texts.get(hash);
      return from === undefined || to === undefined || from === hash ? [] : [{ id, from, to, pair: `${from} ${hash}` }];
    });
    const told = new Map<string, readonly AuditedChange[]>();
    const startedAt = performance.now();
    for (const { id, from, to, pair } of changed.slice(0, maxDecisions)) {
      const restMs = leftMs - (performance.now() - startedAt);
      if (restMs <= 0 && !known.has(pair)) continue;
      const changes = known.get(pair) ?? (await within(restMs, compare(from, to), () => []).catch(() => []));
      known.set(pair, changes);
      told.set(id, changes);
    }
    leftMs -= performance.now() - startedAt;
    return told;
  };
}
