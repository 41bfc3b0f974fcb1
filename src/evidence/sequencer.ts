import type { Logger } from 'pino';
import { Recent } from '../../workers/recent/index.js';
import type { Scheduler } from '../admission/scheduler.js';
import { settleJob, type Lease } from '../jobs/jobs.store.js';
import { takeLease } from '../jobs/leases.store.js';
import { PollLoop } from '../clock/pollLoop.js';
import { renewing } from '../jobs/renewing.js';
import { TenantTurns } from '../jobs/turns.js';
import { idFromBytes, lowestIdAt } from '../storage/ids.js';
import { Follower, type FollowerDependencies } from './follower.js';
import { Sending } from './sending.js';
import { kinds, newestSubjects, tenantsOf, type Kind } from './subjects.store.js';
import { eachTree, findTree, TreeRefused, type RefusalReason } from './trees.store.js';
import type { Witness } from './witness.js';

interface Dependencies extends Omit<FollowerDependencies, 'grown' | 'rest'> {
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly scheduler: Pick<Scheduler, 'rest'>;
  /** Between looks for new records, and for a lease that is free, in milliseconds. */
  readonly pollMs: number;
  /** The longest rest between two pieces of work, in milliseconds. */
  readonly restMs: number;
  /** Between two heads of one workspace that are sent to the witness, in milliseconds. */
  readonly sendMs: number;
  /** Kept up to date. */
  readonly state: EvidenceState;
  /** Null where heads are sent to nobody. */
  readonly witness: Witness | null;
}

/** What the process that sequences knows of how far it is. */
export interface EvidenceState {
  /** Workspaces of which nothing is signed, and why. */
  readonly refused: Map<string, RefusalReason>;
  /**
   * By `performance.now()`: what had been committed then has its leaf, where its workspace is not refused. Undefined in a process
   * that does not sequence.
   */
  completeAt: number | undefined;
}

/** How long others wait for a process that was killed; it renews three times within that. */
const leaseMs = 6000;
/** Workspaces of one statement, and those that are worked on at once. */
const pageSize = 1000;
const atOnce = 4;
/** Pieces of a workspace's records before another workspace is worked on. */
const piecesOfSlice = 8;
/** How long each search in busy workspaces takes for records that came much too late, in milliseconds. */
const searchMs = 50;
/** What the last piece of a slice counts for at most in the rest after the slice: there was a rest after each piece before it. */
const lastPieceMs = 20;
/** Workspaces, by kind, whose state is remembered, and that wait at once; the state of others is read again, and they wait later. */
const maxFollowers = 20_000;
/** How far back each round looks for newest records, since each day of them takes a look, and how often one looks at all. */
const recentMs = 2 * 24 * 60 * 60 * 1000;
const wholeEveryMs = 30_000;

/** A workspace that may have records of a kind without a leaf. */
interface Due {
  readonly kind: Kind;
  readonly workspaceId: string;
  readonly newest: Buffer;
}

/** Before all ids. */
const first: Buffer = Buffer.alloc(16);

/**
 * Gives every execution and audit entry its leaf, soon after its commit. Of several processes one does it; when it stops, it
 * ends after the piece that is under way, and another goes on.
 */
export function createSequencer(dependencies: Dependencies): PollLoop {
  const { database, kept, log, state, witness, pollMs } = dependencies;
  const { owners } = dependencies.budget;
  const { refused } = state;
  let lease: Lease | undefined;
  const followers = new Recent<Follower>({ maxCount: maxFollowers });
  let turns = newTurns();
  /** The workspace after which the next look for due records goes on: `first`, unless too many workspaces were waiting. */
  const lookedTo = { execution: first, audit_entry: first };
  const sending = witness && new Sending(database, witness, log, { apartMs: dependencies.sendMs, owners });
  const rest = (tookMs: number): Promise<void> =>
    dependencies.scheduler.rest(tookMs, { longestMs: dependencies.restMs, ending: loop.stopping });
  let wholeAt = -Infinity;
  let isLookedAt = false;
  /** How often a workspace was left for the next round because something failed, such as MySQL. */
  let left = 0;
  const parts = { ...dependencies, rest, grown: (workspaceId: string) => sending?.grown(workspaceId) };
  /** The followers whose last day is searched, one after the other: of all workspaces, and of those with new records. */
  const [all, active] = [endless(), endless((follower) => follower.isActive)];
  const loop = new PollLoop({
    pollMs,
    round,
    failed: (error) => log.warn({ err: error }, 'evidence cannot be sequenced right now'),
    async ended() {
      await sending?.settled();
      if (lease !== undefined) await settleJob(database, lease, { kind: 'over' }).catch(() => undefined);
    },
  });
  return loop;

  /** Compares all trees with their kept heads, so that a tree that is behind is told of even where no record comes. */
  async function lookAtAll(): Promise<void> {
    for await (const tree of eachTree(database))
      await kept.requireNone(database, tree).catch((error: unknown) => {
        if (!(error instanceof TreeRefused)) throw error;
        refuse(tree.workspaceId, error);
      });
  }

  /** Rejects where the tree is behind its kept head. Growing checks that too, but a tree without new records does not grow. */
  async function requireWhole(workspaceId: string): Promise<void> {
    const tree = await findTree(database, workspaceId);
    if (tree !== undefined) await kept.requireNone(database, tree);
  }

  function refuse(workspaceId: string, error: TreeRefused): void {
    if (refused.get(workspaceId) !== error.reason)
      log.error({ err: error, workspaceId, reason: error.reason }, 'the evidence of a workspace is not signed');
    refused.set(workspaceId, error.reason);
  }

  /** Looks at all workspaces once. True where there is more to do at once. */
  async function round(): Promise<boolean> {
    const held = (lease = await takeLease(database, { kind: 'evidence' }, leaseMs, lease));
    if (held === undefined) {
      // The process that has the lease moves the cursors on, so what is remembered here is out of date.
      followers.clear();
      turns = newTurns();
      sending?.forget();
      wholeAt = -Infinity;
      isLookedAt = false;
      refused.clear();
      state.completeAt = undefined;
      return false;
    }
    const began = performance.now();
    state.completeAt ??= began;
    const leftBefore = left;
    if (!isLookedAt) await lookAtAll();
    isLookedAt = true;
    const stopRenewing = renewing(database, held, leaseMs);
    try {
      const isWhole = performance.now() - wholeAt >= wholeEveryMs;
      const from = isWhole ? first : lowestIdAt(new Date(Date.now() - recentMs));
      for (const kind of kinds) await look(kind, from);
      const isAll = kinds.every((kind) => lookedTo[kind] === first);
      if (isWhole && isAll) wholeAt = began;
      await workUntil(began + pollMs);
      const isMore = !isAll || turns.size > 0;
      if (!isMore && left === leftBefore) state.completeAt = began;
      if (!isMore) {
        await all.next().value?.search();
        const until = performance.now() + searchMs;
        for (let one = active.next().value; one !== undefined; one = active.next().value) {
          await one.search();
          if (performance.now() > until) break;
        }
      }
      sending?.send();
      return isMore;
    } finally {
      stopRenewing();
    }
  }

  /** Adds the workspaces with due records to the turns, which are by tenant: one with sixty workspaces gets no more than others. */
  async function look(kind: Kind, from: Buffer): Promise<void> {
    do {
      const page = await newestSubjects(database, kind, { after: lookedTo[kind], from, size: pageSize });
      const rows = page.map((row) => ({ kind, workspaceId: idFromBytes(row.workspace_id), newest: row.newest }));
      const unknown = rows.filter((row) => followers.peek(keyOf(row)) === undefined);
      for (const owner of await tenantsOf(database, unknown)) owners.learn(owner);
      // Of tenants and workspaces that have used as much: those with the newest records, which should have their leaves within seconds.
      const due = rows.filter((row) => followerOf(row).isDue(row.newest));
      turns.add(due.sort((one, other) => Buffer.compare(other.newest, one.newest)));
      lookedTo[kind] = (page.length === pageSize && page.at(-1)?.workspace_id) || first;
    } while (lookedTo[kind] !== first && turns.size < maxFollowers);
  }

  /** Works on the workspaces that wait, until that time. The rest waits for the next round, which looks for new records first. */
  async function workUntil(end: number): Promise<void> {
    const next = async (): Promise<void> => {
      for (let one = turns.next(); one !== undefined; one = turns.next()) {
        const began = performance.now();
        const isMore = await workSlice(one);
        turns.charge(one, performance.now() - began);
        if (isMore) turns.add([one]);
        if (loop.stopping.aborted || performance.now() > end) return;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  }

  /** Works on one workspace. An error of it is logged, and holds up no other workspace. */
  async function workSlice(due: Due): Promise<boolean> {
    const { workspaceId, newest } = due;
    const began = performance.now();
    try {
      const isMore = await followerOf(due).workSlice(newest, piecesOfSlice);
      if (refused.has(workspaceId)) await requireWhole(workspaceId);
      // A command has restarted the evidence and signed a head, of which `sending` was not told.
      if (refused.delete(workspaceId)) sending?.grown(workspaceId);
      return isMore;
    } catch (error) {
      if (error instanceof TreeRefused) {
        refuse(workspaceId, error);
        return false;
      }
      left++;
      log.warn({ err: error, workspaceId }, 'the evidence of a workspace is sequenced later');
      return false;
    } finally {
      await rest(Math.min(performance.now() - began, lastPieceMs));
    }
  }

  /** Gives the followers one after the other, then undefined, then again from the first. */
  function* endless(isMeant: (follower: Follower) => boolean = () => true): Generator<Follower | undefined, never> {
    for (;;) {
      for (const follower of [...followers.values()]) if (isMeant(follower)) yield follower;
      yield undefined;
    }
  }

  function followerOf(due: Due): Follower {
    const key = keyOf(due);
    let found = followers.get(key);
    if (found === undefined) followers.set(key, (found = new Follower(parts, due.kind, due.workspaceId)));
    return found;
  }

  function newTurns(): TenantTurns<Due> {
    return new TenantTurns((due) => ({ tenantId: owners.of(due.workspaceId).tenantId, workspaceId: keyOf(due) }));
  }
}

const keyOf = ({ kind, workspaceId }: Pick<Due, 'kind' | 'workspaceId'>): string => `${kind}/${workspaceId}`;
