/** A run that has computed for as long, in milliseconds, is a slow one: a batch of the quickest takes a millisecond. */
export const slowRunMs = 200;
/** Of a quick program the runs hold a thread for less on average, and the last one was not a long one. */
const quickProgramMs = 50;
/** What a workspace owes at most, in milliseconds of computing. */
const maxDebtMs = 60_000;
/** Weight of the newest run in a moving mean: about the last forty runs count. */
const newestWeight = 0.05;
/** Workspaces, and programs of all of them, that something is known of at most; what is forgotten is learnt again. */
const maxAccounts = 10_000;
const maxPaces = 10_000;

/** Moving means, milliseconds. */
export interface Pace {
  /** How long a run holds a thread; what expected waits are made of. */
  heldMs: number;
  /** What it takes on the thread itself, without the way there and back; infinite before the first. */
  onThreadMs: number;
}

/** What is known of a program's runs in one workspace. */
export interface ProgramPace extends Pace {
  ran: boolean;
  /** Known to hold threads for moments only. */
  quick: boolean;
  /** It has function nodes, which may wait, so its runs share no batch. */
  alone: boolean;
}

/** What one workspace took of the pool. */
export interface WorkspaceAccount {
  /** A run of it computes for long now, or what such runs took is not paid yet. */
  slow: boolean;
  /** Its slow runs under way. */
  slowRuns: number;
  /** Threads that it holds with runs that are not known to be quick. */
  unproven: number;
  /** When its debt is paid, by the pool's clock. */
  paidAt: number;
  readonly paces: Map<string, ProgramPace>;
}

/**
 * The accounts of processor time. A slow run puts its workspace into debt by the time that it computed (waiting costs
 * nothing), and time pays it off: a workspace is slow for as long after such a run as that took, and then it is forgotten.
 */
export class WorkspaceAccounts {
  /** Of all runs but those that held a thread for long, which others need not wait for. */
  readonly usual: Pace = { heldMs: 0, onThreadMs: Infinity };
  readonly slow = new Set<WorkspaceAccount>();
  readonly #accounts = new Map<string, WorkspaceAccount>();
  #paces = 0;

  of(workspaceId: string): WorkspaceAccount {
    const known = this.#accounts.get(workspaceId);
    if (known !== undefined) return known;
    if (this.#accounts.size >= maxAccounts) this.#forget();
    const paces = new Map<string, ProgramPace>();
    const account = { slow: false, slowRuns: 0, unproven: 0, paidAt: 0, paces };
    this.#accounts.set(workspaceId, account);
    return account;
  }

  paceOf(account: WorkspaceAccount, programId: string): ProgramPace {
    const known = account.paces.get(programId);
    if (known !== undefined) return known;
    if (++this.#paces > maxPaces) {
      this.#paces = 1;
      for (const { paces } of this.#accounts.values()) paces.clear();
    }
    const pace = { ...this.usual, ran: false, quick: false, alone: false };
    account.paces.set(programId, pace);
    return pace;
  }

  /** @param heldMs how long the run held its thread; `onThreadMs` of it on the thread itself */
  ran(pace: ProgramPace, heldMs: number, onThreadMs: number): void {
    if (!pace.ran) {
      pace.ran = true;
      // A slow first run may have compiled its program, and says little about the next; a quick one was not so by chance.
      const first = onThreadMs < this.usual.onThreadMs ? { heldMs, onThreadMs } : this.usual;
      pace.heldMs = first.heldMs;
      pace.onThreadMs = first.onThreadMs;
    }
    move(pace, heldMs, onThreadMs);
    pace.quick = heldMs < slowRunMs && pace.heldMs < quickProgramMs;
    if (heldMs < slowRunMs) move(this.usual, heldMs, onThreadMs);
  }

  /** A run of that workspace is slow from now on; `charge` is to follow. */
  begin(account: WorkspaceAccount): void {
    account.slowRuns++;
    this.#mark(account);
  }

  /** @param ms of computing */
  charge(account: WorkspaceAccount, ms: number, now: number): void {
    account.paidAt = Math.min(now + maxDebtMs, Math.max(account.paidAt, now) + ms);
    this.#mark(account);
  }

  /** Lets go of the workspaces whose debt is paid. */
  settle(now: number): void {
    for (const account of this.slow) {
      if (account.slowRuns > 0 || account.paidAt > now) continue;
      account.slow = false;
      this.slow.delete(account);
    }
  }

  #mark(account: WorkspaceAccount): void {
    account.slow = true;
    this.slow.add(account);
  }

  #forget(): void {
    for (const [workspaceId, { slow, unproven }] of this.#accounts) {
      if (!slow && unproven === 0) this.#accounts.delete(workspaceId);
    }
    this.#paces = 0;
    for (const { paces } of this.#accounts.values()) paces.clear();
  }
}

function move(pace: Pace, heldMs: number, onThreadMs: number): void {
  const first = pace.onThreadMs === Infinity;
  pace.heldMs = first ? heldMs : pace.heldMs + (heldMs - pace.heldMs) * newestWeight;
  pace.onThreadMs = first ? onThreadMs : pace.onThreadMs + (onThreadMs - pace.onThreadMs) * newestWeight;
}
