import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { problems } from '../../src/errors.js';
import { idToBytes } from '../../src/storage/ids.js';
import { faultSeconds, tabulate, tell } from './table.js';
import { startLoad, type Load, type LoadOptions } from '../support/load.js';

/** Something that breaks, and how it is mended. */
export interface Fault {
  readonly name: string;
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
  /** Codes that clients may see meanwhile; `network` for a connection that a dead process took along. */
  readonly allowed: readonly string[];
}

export interface TrialOptions {
  readonly fault: Fault;
  readonly load: LoadOptions;
  readonly database: Knex;
  readonly beforeMs: number;
  readonly duringMs: number;
  /** In `make test` at most: less where the capacity is back sooner, and nothing fails any more. */
  readonly afterMs: number;
  /** Resident memory of the server, bytes. */
  readonly memory: () => Promise<number>;
}

export interface Outcome {
  readonly fault: string;
  readonly requests: number;
  readonly acknowledged: number;
  readonly errors: Readonly<Record<string, number>>;
  /** Acknowledged and not in the database. */
  readonly lost: number;
  /** Requests with more than one row. */
  readonly duplicates: number;
  /** From the end of the fault to the end of the last request that failed. */
  readonly recoveryMs: number;
  readonly slowestMs: number;
  /** Acknowledged per second in the best second after the fault, over those before it. */
  readonly capacity: number;
  readonly grownMb: number;
  /** What should not have been; empty when all is well. */
  readonly violations: readonly string[];
}

const maxRecoveryMs = 5000;
const maxAnswerMs = 8000;
/** Where the machine is shared, what others do shows too, and more so in the short trials of `make test`. */
const minCapacity = faultSeconds > 0 ? 0.5 : 0.25;
const maxGrownMb = 200;
const windowMs = 1000;

/** What comes late on a machine that others use as well is tried again before it counts. */
const maxTries = 3;

/** Load before, during and after a fault; then every answer is held against the database. */
export async function tryFault(options: TrialOptions): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    const { outcome, late } = await tryOnce(options);
    if (late.length === 0) return outcome;
    if (tries === maxTries) return { ...outcome, violations: [...outcome.violations, ...late] };
  }
}

async function tryOnce(options: TrialOptions): Promise<{ readonly outcome: Outcome; readonly late: string[] }> {
  const { fault, database, memory } = options;
  const memoryBefore = await memory();
  tell(`${fault.name}: ${options.beforeMs + options.duringMs + options.afterMs} ms of load …`);
  const load = startLoad(options.load);
  const { endings } = load;
  const rate = (from: number, to: number): number =>
    endings.filter(({ at, id }) => id !== undefined && at >= from && at < to).length / (to - from);
  await sleep(options.beforeMs);
  const begun = performance.now();
  await fault.begin();
  await sleep(options.duringMs);
  await fault.end();
  const ended = performance.now();
  const rateBefore = rate(begun - options.beforeMs / 2, begun);
  const isBack = (now: number): boolean =>
    bestRate(ended, now, rate) > 0 &&
    bestRate(ended, now, rate) >= minCapacity * rateBefore &&
    endings.every(({ at, code }) => code === undefined || at < now - windowMs);
  for (let now = ended; now - ended < options.afterMs; now = performance.now()) {
    if (faultSeconds === 0 && isBack(now)) break;
    await sleep(windowMs / 4);
  }
  const stopped = performance.now();
  await load.stop();
  const grownMb = ((await memory()) - memoryBefore) / 1024 / 1024;

  const failures = endings.filter(({ code }) => code !== undefined);
  const outcome = {
    fault: fault.name,
    requests: endings.length,
    acknowledged: endings.length - failures.length,
    errors: countBy(failures.map(({ code }) => code ?? '')),
    ...(await heldAgainst(database, load)),
    recoveryMs: Math.round(Math.max(0, ...failures.map(({ at }) => at - ended))),
    slowestMs: Math.round(Math.max(0, ...endings.map(({ ms }) => ms))),
    capacity: bestRate(ended, stopped, rate) / rateBefore,
    grownMb: Math.round(grownMb),
  };
  const judged = { ...outcome, violations: violationsOf(outcome, fault) };
  const late = lateOf(outcome);
  tabulate({ ...judged, violations: [...judged.violations, ...late] });
  return { outcome: judged, late };
}

function bestRate(from: number, to: number, rate: (from: number, to: number) => number): number {
  let best = 0;
  for (let start = from; start + windowMs <= to; start += windowMs / 4) {
    best = Math.max(best, rate(start, start + windowMs));
  }
  return best;
}

export async function heldAgainst(database: Knex, { endings }: Load): Promise<{ lost: number; duplicates: number }> {
  let lost = 0;
  let duplicates = 0;
  for (let from = 0; from < endings.length; from += 500) {
    const some = endings.slice(from, from + 500);
    const rows = (await database('executions')
      .select('id', 'request_id')
      .whereIn(
        'request_id',
        some.map(({ requestId }) => idToBytes(requestId)),
      )) as { id: Buffer; request_id: Buffer }[];
    const ids = new Set(rows.map(({ id }) => id.toString('hex')));
    lost += some.filter(({ id }) => id !== undefined && !ids.has(idToBytes(id).toString('hex'))).length;
    duplicates += rows.length - new Set(rows.map((row) => row.request_id.toString('hex'))).size;
  }
  return { lost, duplicates };
}

function countBy(codes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

function violationsOf(outcome: Omit<Outcome, 'violations'>, { allowed }: Fault): string[] {
  const { lost, duplicates, errors, grownMb } = outcome;
  const violations: string[] = [];
  if (outcome.acknowledged === 0) violations.push('nothing was acknowledged');
  if (lost > 0) violations.push(`${lost} acknowledged executions are lost`);
  if (duplicates > 0) violations.push(`${duplicates} executions are recorded more than once`);
  for (const [code, count] of Object.entries(errors)) {
    if (code !== 'network' && !(code in problems)) violations.push(`${count} answers outside of the contract: ${code}`);
    else if (!allowed.includes(code)) violations.push(`${count} answers ${code}`);
  }
  if (grownMb > maxGrownMb) violations.push(`memory grew by ${grownMb} MB`);
  return violations;
}

function lateOf({ recoveryMs, slowestMs, capacity }: Omit<Outcome, 'violations'>): string[] {
  return [
    ...(recoveryMs > maxRecoveryMs ? [`still failing ${recoveryMs} ms after the fault`] : []),
    ...(slowestMs > maxAnswerMs ? [`an answer took ${slowestMs} ms`] : []),
    ...(capacity >= minCapacity ? [] : [`capacity came back to ${capacity.toFixed(2)} only`]),
  ];
}
