import {
  addFits,
  addMeasures,
  noFit,
  noMeasure,
  quotient,
  type ComparisonSettings,
  type Counted,
  type Fit,
  type MeasureSettings,
  type MeasureTally,
  type OutcomeTally,
  type PieceTallies,
} from '../../workers/models/index.js';
import { millisecondsAt, QuantileSketch, type KeptSketch } from '../../workers/sketch/index.js';
import { AnonymousCounts, newSalt, shownRow, type KeptRow } from './anonymousCounts.js';
import { resultKinds, type ResultCounts } from './bound.js';
import { BoundedCounts } from './boundedCounts.js';
import { isTold, type KeptMeasure } from './keptMeasures.js';

/** Transitions that a report shows. */
const maxTransitions = 50;
/** Places of a model that are counted, and characters of their names. */
const reachBounds = { texts: 20_000, length: 1024 * 1024, longest: 1000 };
/** Rows of an outcome's table that it shows. */
const maxRows = 100;

/** As `Tallies` are kept between two pieces of work. */
interface Kept extends ResultCounts {
  /** Of the hashes that stand for values of few executions. */
  readonly salt: string;
  readonly losses: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly fields: readonly [string, number][];
  readonly transitions: readonly KeptRow[];
  readonly measures: readonly KeptMeasure[];
  readonly outcomes: readonly KeptOutcome[];
  readonly reached: readonly (readonly [string, number])[];
  /** Of the engine, in microseconds. */
  readonly before: KeptSketch;
  readonly after: KeptSketch;
}

/** An outcome as it is kept. */
type KeptOutcome = Omit<OutcomeTally, 'table'> & { readonly table: readonly KeptRow[] };

interface CountedOutcomes {
  unknown: number;
  known: number;
  table: AnonymousCounts;
  before: Fit;
  after: Fit;
}

/** All that is counted of a replay or a shadow, in bounded memory. */
export class Tallies {
  /** Threads that were lost under the cases. */
  losses: number;
  readonly #counts: ResultCounts = { identical: 0, changed: 0, newlyFailed: 0, newlyCompleted: 0 };
  readonly #skipped = new Map<string, number>();
  readonly #fields: BoundedCounts;
  readonly #salt: string;
  readonly #transitions: AnonymousCounts;
  readonly #measures: KeptMeasure[];
  readonly #outcomes: CountedOutcomes[];
  readonly #reached: BoundedCounts;
  readonly #before: QuantileSketch;
  readonly #after: QuantileSketch;

  constructor(kept?: Kept) {
    this.losses = kept?.losses ?? 0;
    for (const kind of resultKinds) this.#counts[kind] = kept?.[kind] ?? 0;
    for (const [reason, count] of Object.entries(kept?.skipped ?? {})) this.#skipped.set(reason, count);
    this.#fields = new BoundedCounts(kept?.fields);
    this.#salt = kept?.salt ?? newSalt();
    this.#transitions = new AnonymousCounts(this.#salt, kept?.transitions);
    this.#measures = [...(kept?.measures ?? [])];
    this.#outcomes = (kept?.outcomes ?? []).map((one) => ({
      ...one,
      table: new AnonymousCounts(this.#salt, one.table),
    }));
    this.#reached = new BoundedCounts(kept?.reached, reachBounds);
    this.#before = new QuantileSketch(kept?.before);
    this.#after = new QuantileSketch(kept?.after);
  }

  /** Reads tallies that `JSON.stringify` wrote; an empty text gives none. */
  static parse(text: string): Tallies {
    return new Tallies(text === '' ? undefined : (JSON.parse(text) as Kept));
  }

  get isEmpty(): boolean {
    return this.#skipped.size === 0 && resultKinds.every((kind) => this.#counts[kind] === 0);
  }

  skip(reason: string, count = 1): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + count);
  }

  count(kind: keyof ResultCounts): void {
    this.#counts[kind]++;
  }

  add({ beforeUs, afterUs, ...piece }: PieceTallies): void {
    this.#addCounts(piece);
    for (const us of beforeUs) this.#before.record(us);
    for (const us of afterUs) this.#after.record(us);
  }

  merge(other: Tallies): void {
    this.#addCounts({
      ...other.toJSON(),
      transitions: other.#transitions.entries(),
      outcomes: other.#outcomes.map((one) => ({ ...one, table: one.table.entries() })),
    });
    this.#before.merge(other.#before.toJSON());
    this.#after.merge(other.#after.toJSON());
  }

  #addCounts(piece: Omit<PieceTallies, 'beforeUs' | 'afterUs'>): void {
    for (const kind of resultKinds) this.#counts[kind] += piece[kind];
    for (const [reason, count] of Object.entries(piece.skipped)) this.skip(reason, count);
    for (const [pointer, count] of piece.fields) this.#fields.add(pointer, count);
    for (const [transition, count] of piece.transitions) this.#transitions.add(transition, count);
    piece.measures.forEach(({ before, after }, index) => {
      const { before: earlier = noMeasure, after: later = noMeasure, ...erased } = this.#measures[index] ?? {};
      this.#measures[index] = { ...erased, before: addMeasures(earlier, before), after: addMeasures(later, after) };
    });
    this.addOutcomes(piece.outcomes);
    for (const [part, count] of piece.reached) this.#reached.add(part, count);
  }

  addOutcomes(outcomes: readonly OutcomeTally[]): void {
    outcomes.forEach(({ unknown, known, table, before, after }, index) => {
      const counted = (this.#outcomes[index] ??= this.#noOutcomes());
      counted.unknown += unknown;
      counted.known += known;
      for (const [row, count] of table) counted.table.add(row, count);
      counted.before = addFits(counted.before, before);
      counted.after = addFits(counted.after, after);
    });
  }

  toJSON(): Kept {
    return {
      ...this.#counts,
      losses: this.losses,
      skipped: Object.fromEntries(this.#skipped),
      fields: this.#fields.entries().map(([text, count]) => [text, count]),
      salt: this.#salt,
      transitions: this.#transitions.toJSON(),
      measures: this.#measures,
      outcomes: this.#outcomes.map(({ table, ...counted }) => ({ ...counted, table: table.toJSON() })),
      reached: this.#reached.entries(),
      before: this.#before.toJSON(),
      after: this.#after.toJSON(),
    };
  }

  /** What of the candidate's model was reached. */
  get reached(): readonly Counted[] {
    return this.#reached.entries();
  }

  /** The report, as JSON. @param settings as they were asked for @param reach JSON of what was reached, once it is known */
  report(
    { measures, outcomes: named, stated }: Pick<ComparisonSettings, 'measures' | 'outcomes' | 'stated'>,
    reach: string | null = null,
  ): string {
    const replayed = resultKinds.reduce((sum, kind) => sum + this.#counts[kind], 0);
    const fields = this.#fields.entries().map(([pointer, count]) => ({ pointer, count }));
    const head = JSON.stringify({ replayed, ...this.#counts, skipped: Object.fromEntries(this.#skipped), fields });
    const transitions = this.#transitions.toJSON().slice(0, maxTransitions).map(shownRow);
    const tail = JSON.stringify({
      measures: measures.map(({ name, aggregate }, index) => {
        const { before = noMeasure, after = noMeasure, erased = 0, withoutSums = false } = this.#measures[index] ?? {};
        const value = (of: MeasureTally): number | null =>
          isTold(aggregate, erased, withoutSums) ? aggregates[aggregate](of) : null;
        return { name, before: value(before), after: value(after), ...(erased === 0 ? {} : { erased }) };
      }),
      engine: { before: quantiles(this.#before), after: quantiles(this.#after) },
    });
    const outcomesText =
      named.length === 0 ? '' : `,"outcomes":[${named.map((name, at) => this.#outcomeText(name, at, stated)).join()}]`;
    return `${head.slice(0, -1)},"transitions":[${transitions.join()}],${tail.slice(1, -1)}${outcomesText}${reach === null ? '' : `,"reach":${reach}`}}`;
  }

  #outcomeText(name: string, index: number, stated: ComparisonSettings['stated']): string {
    const { known, unknown, table, before, after } = this.#outcomes[index] ?? this.#noOutcomes();
    const rows = table.toJSON().slice(0, maxRows).map(shownRow);
    const head = JSON.stringify({ name, known, unknown });
    const tail = JSON.stringify({ before: fitOf(before, stated), after: fitOf(after, stated) });
    return `${head.slice(0, -1)},"table":[${rows.join()}],${tail.slice(1)}`;
  }

  #noOutcomes(): CountedOutcomes {
    return { unknown: 0, known: 0, table: new AnonymousCounts(this.#salt), before: noFit, after: noFit };
  }
}

/** Precision and recall of the stated result; null where they are of nothing. */
function fitOf({ right, wrong, missed }: Fit, stated: ComparisonSettings['stated']): Record<string, number | null> {
  const share = (of: number): number | null => (stated === null || of === 0 ? null : right / of);
  return { precision: share(right + wrong), recall: share(right + missed) };
}

const quantiles = (times: QuantileSketch): Record<'p50' | 'p99', number | null> => ({
  p50: millisecondsAt(times, 0.5),
  p99: millisecondsAt(times, 0.99),
});

/** What each aggregate makes of a tally; null where there is nothing to make it of. */
const aggregates: Readonly<Record<MeasureSettings['aggregate'], (tally: MeasureTally) => number | null>> = {
  sum: ({ sum }) => Number(sum),
  mean: ({ sum, numbers }) => (numbers === 0 ? null : quotient(sum, numbers)),
  count: ({ hits }) => hits,
  min: ({ min }) => min,
  max: ({ max }) => max,
  share: ({ hits, runs }) => (runs === 0 ? null : hits / runs),
};
