import type { LogFn, Logger } from 'pino';
import { after } from '../clock/timers.js';
import { Problem } from '../errors.js';
import { isConnectionLoss } from './mysqlErrors.js';

/** How long something is away, or there again, without a break, before that is told; in milliseconds. */
const steady = { away: 2000, back: 5000 };
/** A timer that is later than this by its own plan shows that this process stood still: what it knows is old. */
const lateMs = 500;

/** Where lines about what the service depends on go. */
export interface DependencyLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

interface OutageOptions {
  readonly log: DependencyLog;
  /** What may be away, by its name, and what its being away means. */
  readonly name: string;
  readonly consequence: string;
  readonly steadyMs?: { readonly away: number; readonly back: number };
}

/**
 * Tells an outage in two lines: one when it begins and one when it ends. What comes and goes within moments, or is missed since this
 * process or its machine is busy, is none; nor does an outage end with one answer.
 */
export class Outage {
  readonly #options: OutageOptions;
  /** What was told last; in the beginning all is taken to be there. */
  #isAway = false;
  #awaySince = 0;
  #reason: string | undefined;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** To be told at any time whether it is there. @param reason why it is not */
  note(isThere: boolean, reason?: string): void {
    if (reason !== undefined) this.#reason = reason;
    if (isThere !== this.#isAway) this.#forget();
    else if (this.#cancel === undefined && !this.#isClosed) this.#wait(performance.now());
  }

  /** Nothing more is told: connections that are closed are no outage. */
  close(): void {
    this.#isClosed = true;
    this.#forget();
  }

  #forget(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(since: number): void {
    const { steadyMs = steady } = this.#options;
    const ms = this.#isAway ? steadyMs.back : steadyMs.away;
    const begun = performance.now();
    this.#cancel = after(ms, () => {
      if (performance.now() - begun > ms + lateMs) this.#wait(since);
      else this.#tell(since);
    });
  }

  #tell(since: number): void {
    const { log, name, consequence } = this.#options;
    this.#cancel = undefined;
    this.#isAway = !this.#isAway;
    if (this.#isAway) {
      this.#awaySince = since;
      log.warn({ reason: this.#reason }, `${name} is not reachable: ${consequence}`);
      return;
    }
    log.info({ awayS: Math.round((since - this.#awaySince) / 1000) }, `${name} is reachable again`);
    this.#reason = undefined;
  }
}

/** Whether a failure says no more than that the database is away. */
const isWaiting = (error: unknown): boolean =>
  isConnectionLoss(error) || (error instanceof Problem && isConnectionLoss(error.options.cause));

/**
 * A log for what is repeated, or answered with 503, while the database is away: the outage has lines of its own, so that each loop's
 * failure with its stack tells nothing more. They are there at the level `debug`.
 */
export function withoutOutages(log: Pick<Logger, 'warn' | 'error' | 'debug'>): Pick<Logger, 'warn' | 'error'> {
  const at =
    (level: 'warn' | 'error'): LogFn =>
    (fields: unknown, ...rest: unknown[]) => {
      const isQuiet = typeof fields === 'object' && fields !== null && 'err' in fields && isWaiting(fields.err);
      Reflect.apply(isQuiet ? log.debug : log[level], log, [fields, ...rest]);
    };
  return { warn: at('warn'), error: at('error') };
}
