interface Period {
  readonly version: number;
  readonly fromMs: number;
  /** Until then a run may still begin on it; infinite while it may be in force. */
  untilMs: number;
}

interface Gap {
  readonly fromMs: number;
  untilMs: number;
}

/** A change of routing on its way to the server; exactly one of these says what came of it. */
export interface Change {
  confirmed(): void;
  refused(): void;
  /** No answer, or one that leaves open whether it happened. */
  unknown(): void;
}

/** Long ago enough that no request of then is still unanswered. */
const keptMs = 60_000;

/**
 * Which version routing may have chosen at which time, one environment and decision: what contract.md promises. Times
 * are milliseconds of the clock.
 */
export class Promised {
  readonly #graceMs: number;
  readonly #now: () => number;
  readonly #periods: Period[] = [];
  readonly #gaps: Gap[] = [];

  /**
   * @param graceMs how long a process that did not answer the change may still use what was before it
   * @param now the clock that requests are timed by
   */
  constructor(graceMs: number, now = (): number => performance.now()) {
    this.#graceMs = graceMs;
    this.#now = now;
  }

  /**
   * Routing is about to be changed to that version.
   * @param removes by deleting what is in force: a run that began on it may find it gone
   */
  begin(version: number, removes = false): Change {
    const now = this.#now();
    const period: Period = { version, fromMs: now, untilMs: Infinity };
    this.#periods.push(period);
    const gap: Gap = { fromMs: now, untilMs: Infinity };
    if (removes) this.#gaps.push(gap);
    const close = (before: readonly Period[]): void => {
      const untilMs = this.#now() + this.#graceMs;
      for (const each of before) each.untilMs = Math.min(each.untilMs, untilMs);
      gap.untilMs = untilMs;
      this.#forget();
    };
    return {
      confirmed: () => close(this.#periods.filter((each) => each !== period)),
      refused: () => close([period]),
      unknown: () => {
        gap.untilMs = this.#now() + this.#graceMs;
      },
    };
  }

  /** Whether a request of that time may have run that version. */
  allows(version: number, sentMs: number, answeredMs: number): boolean {
    return this.#periods.some(
      (period) => period.version === version && period.fromMs <= answeredMs && period.untilMs >= sentMs,
    );
  }

  /** Whether a deployment was being removed at that time. */
  allowsAbsence(sentMs: number, answeredMs: number): boolean {
    return this.#gaps.some(({ fromMs, untilMs }) => fromMs <= answeredMs && untilMs >= sentMs);
  }

  #forget(): void {
    const bound = this.#now() - keptMs;
    for (const list of [this.#periods, this.#gaps]) {
      while (list[0] !== undefined && list[0].untilMs < bound) list.shift();
    }
  }
}
