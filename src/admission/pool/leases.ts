import { liveMs, messageMs, slowMs } from '../constants.js';
import type { QueuedRun } from './queuedRun.js';
import type { PoolSettings } from './settings.js';
import type { Thread } from './thread.js';
import type { Threads } from './threads.js';
import type { Caller, WorkspaceAccount } from './workspaceAccounts.js';

/** Work of one workspace that holds a thread: several runs, or a preparation. Times are by the pool's clock. */
export interface Lease {
  readonly thread: Thread;
  readonly account: WorkspaceAccount;
  /** The runs in the order in which they were sent; null for one that was recalled. Empty for a preparation. */
  runs: readonly (QueuedRun | null)[];
  readonly beganAt: number;
  /** When its thread is ended, unless it has answered. */
  readonly endAt: number;
  /** Milliseconds that its workspace was charged for it so far, at first what it was expected to take. */
  chargedMs: number;
  /** Its workspace was slow when it began, or one of its programs is not known to be quick. */
  readonly notKnownQuick: boolean;
  /** It holds the thread for long, whether it computes or waits. */
  long: boolean;
  /** Its workspace was slow when it began, it has computed for long itself, or it is background work. */
  slow: boolean;
}

export interface LeasesParts {
  /** They may change. */
  readonly settings: Pick<PoolSettings, 'maxThreads'>;
  readonly threads: Readonly<Pick<Threads, 'idle' | 'idleLow' | 'size' | 'serving'>>;
  /** Milliseconds of the pool's clock. */
  readonly now: () => number;
}

/** The leases of threads, and who may have another one. */
export class Leases implements Iterable<Lease> {
  readonly #parts: LeasesParts;
  readonly #held = new Set<Lease>();
  #quickAt = -Infinity;
  #liveAt = -Infinity;

  constructor(parts: LeasesParts) {
    this.#parts = parts;
  }

  [Symbol.iterator](): IterableIterator<Lease> {
    return this.#held.values();
  }

  /** @param withinMs milliseconds until the thread is to be ended */
  begin(thread: Thread, account: WorkspaceAccount, runs: readonly QueuedRun[], withinMs: number): Lease {
    const { slow } = account;
    const beganAt = this.#parts.now();
    let chargedMs = 0;
    let notKnownQuick = slow;
    for (const { pace, expectedMs } of runs) {
      chargedMs += expectedMs;
      notKnownQuick ||= !pace.quick;
    }
    const endAt = beganAt + withinMs;
    const lease = { thread, account, runs, beganAt, endAt, chargedMs, notKnownQuick, long: false, slow };
    this.#held.add(lease);
    if (!account.background && runs.length > 0) this.#liveAt = beganAt;
    if (!notKnownQuick && runs.length > 0) this.#quickAt = beganAt;
    return lease;
  }

  end(lease: Lease): void {
    this.#held.delete(lease);
  }

  count(matches: (lease: Lease) => boolean): number {
    let count = 0;
    for (const lease of this.#held) if (matches(lease)) count++;
    return count;
  }

  /** Whether that workspace has one that is likely to end soon. */
  endsSoon(account: WorkspaceAccount): boolean {
    const since = this.#parts.now() - 2 * messageMs;
    for (const lease of this.#held)
      if (lease.account === account && !lease.notKnownQuick && lease.beganAt > since) return true;
    return false;
  }

  /** Whether a run that is no background work began within so many milliseconds. */
  liveWithin(ms: number): boolean {
    return this.#parts.now() - this.#liveAt < ms;
  }

  /** Whether the run is within its share of the threads, whether or not one is free. */
  hasShare({ account, pace }: Caller): boolean {
    const { maxThreads } = this.#parts.settings;
    if (account.background) return this.count(isBackground) < this.#slowShare;
    if (account.slow) return this.count(isSlow) - this.count(isBackground) < this.#slowShare;
    if (pace.quick) return true;
    const own = this.count((lease) => lease.notKnownQuick && lease.account.owner.tenantId === account.owner.tenantId);
    // The last thread below twice the maximum plus one stays for quick runs.
    return own < Math.max(2, maxThreads) && this.count(isNotKnownQuick) < 2 * maxThreads;
  }

  /** Threads that slow workspaces have together, and background work has. */
  get #slowShare(): number {
    return Math.max(1, this.#parts.settings.maxThreads - 1);
  }

  /**
   * Whether the run may begin on the present threads: runs that may be long leave one serving thread to quick ones. A
   * program that never ran is likely to be quick, so one of those at a time may use it.
   */
  mayBegin(caller: Caller): boolean {
    const { account, pace } = caller;
    if (!this.hasShare(caller)) return false;
    if (account.background || (pace.quick && !account.slow)) return true;
    const { threads, now } = this.#parts;
    const quickLately = now() - this.#quickAt < liveMs;
    if (!account.slow && (!quickLately || (!pace.hasRun && this.count(isNotKnownQuick) === 0))) return true;
    return threads.serving - this.count(quickLately ? isNotKnownQuick : isSlow) >= 2;
  }

  /**
   * Whether the run may have that thread: slow ones take one of usual priority where none of low priority is idle, and
   * background work only while another serves.
   */
  mayUse({ low }: Pick<Thread, 'low'>, { account: { slow, background } }: Caller): boolean {
    const { threads } = this.#parts;
    if (low || !slow) return low === slow;
    return threads.idleLow === 0 && (!background || threads.serving - this.count(isSlow) >= 2);
  }
}

const isSlow = ({ slow }: Lease): boolean => slow;
const isNotKnownQuick = ({ notKnownQuick }: Lease): boolean => notKnownQuick;
export const isBackground = ({ account }: Lease): boolean => account.background;

/** Milliseconds that the thread has computed for the lease; 0 where that is less than a slow run. */
export const computedMs = ({ thread, beganAt }: Lease, now: number): number =>
  now - beganAt < slowMs ? 0 : now - beganAt - thread.waitedMs();
