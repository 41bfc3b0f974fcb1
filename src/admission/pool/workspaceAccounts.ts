import { Recent } from '../../../workers/recent/index.js';
import type { Owner, Owners } from '../owners.js';
import { maxDebtMs, maxRemembered, messageMs, newestWeight, slowMs } from '../constants.js';

/** Exponential moving averages, milliseconds. */
interface Pace {
  /** How long a run holds a thread; expected waits are computed from it. */
  heldMs: number;
  /** What it takes on the thread itself, without the way there and back; infinite before the first. */
  onThreadMs: number;
}

/** What is known of a program's runs in one workspace. */
interface ProgramPace extends Pace {
  hasRun: boolean;
  /** Known to hold threads for a short time only. */
  quick: boolean;
  /** It has function nodes, which may wait, so its runs share no batch. */
  alone: boolean;
}

/** What one workspace owes the pool. */
export interface WorkspaceAccount {
  readonly owner: Owner;
  /** True for background work: its threads give way to others, and its time is not counted. */
  readonly background: boolean;
  /** A run of it has been computing for long, or it is still in debt for such runs. */
  slow: boolean;
  /** When its debt is paid, by the pool's clock. */
  paidAt: number;
  readonly paces: Map<string, ProgramPace>;
}

/** The account that a run is charged to, and the usual pace of its program. */
export interface Caller {
  readonly account: WorkspaceAccount;
  readonly pace: ProgramPace;
}

/** The caller of a workspace's background work: it counts as slow, and its pace is not learnt. */
export const inBackground = (owner: Owner): Caller => ({
  account: { owner, background: true, slow: true, paidAt: 0, paces: new Map() },
  pace: { heldMs: 0, onThreadMs: Infinity, hasRun: true, quick: false, alone: true },
});

/**
 * The accounts of processor time. A slow run puts its workspace into debt by the time that it computed (waiting costs
 * nothing), and time pays the debt off: after such a run a workspace is slow for as long as the run took.
 */
export class WorkspaceAccounts {
  /** The pace of all runs but those that held a thread for long, which others need not wait for. */
  readonly usual: Pace = { heldMs: 0, onThreadMs: Infinity };
  readonly slow = new Set<WorkspaceAccount>();
  readonly #accounts = new Recent<WorkspaceAccount>({ maxCount: maxRemembered });
  readonly #owners: Owners;

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  of(workspaceId: string): WorkspaceAccount {
    const existing = this.#accounts.get(workspaceId);
    if (existing !== undefined) return existing;
    const owner = this.#owners.of(workspaceId);
    const account = { owner, background: false, slow: false, paidAt: 0, paces: new Map<string, ProgramPace>() };
    this.#accounts.set(workspaceId, account);
    return account;
  }

  /** @param programId the program of a run, or the kind of other work */
  callerOf(workspaceId: string, programId: string): Caller {
    const account = this.of(workspaceId);
    const { paces } = account;
    let pace = paces.get(programId);
    if (pace === undefined) {
      if (paces.size >= maxRemembered) paces.clear();
      paces.set(programId, (pace = { ...this.usual, hasRun: false, quick: false, alone: false }));
    }
    return { account, pace };
  }

  /** @param heldMs how long the run held its thread; `onThreadMs` of it on the thread itself */
  learn(pace: ProgramPace, heldMs: number, onThreadMs: number): void {
    if (!pace.hasRun) {
      pace.hasRun = true;
      // A slow first run may have compiled its program, and says little about the next; a quick one is representative.
      Object.assign(pace, onThreadMs < this.usual.onThreadMs ? { heldMs, onThreadMs } : this.usual);
    }
    move(pace, heldMs, onThreadMs);
    // Judged by the time on the thread, since the answer may wait for the main thread's event loop.
    pace.quick = onThreadMs < slowMs && pace.onThreadMs < 5 * messageMs;
    if (heldMs < slowMs) move(this.usual, heldMs, onThreadMs);
  }

  /** The workspace is slow, at least until `settle` is called. */
  mark(account: WorkspaceAccount): void {
    account.slow = true;
    this.slow.add(account);
  }

  /** @param ms of computing */
  charge(account: WorkspaceAccount, ms: number, now: number): void {
    account.paidAt = Math.min(now + maxDebtMs, Math.max(account.paidAt, now) + ms);
    this.mark(account);
  }

  /** Ends the slow state of workspaces whose debt is paid. */
  settle(now: number): void {
    for (const account of this.slow) {
      if (account.paidAt > now) continue;
      account.slow = false;
      this.slow.delete(account);
    }
  }
}

function move(pace: Pace, heldMs: number, onThreadMs: number): void {
  const first = pace.onThreadMs === Infinity;
  pace.heldMs = first ? heldMs : pace.heldMs + (heldMs - pace.heldMs) * newestWeight;
  pace.onThreadMs = first ? onThreadMs : pace.onThreadMs + (onThreadMs - pace.onThreadMs) * newestWeight;
}
