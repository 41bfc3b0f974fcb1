import type { ChangedField } from './changes.js';
import { changeText, shownInTransition } from './describe.js';
import { addMeasures, noMeasure } from './measureTally.js';
import { OutcomeCounter } from './outcomes.js';
import { ReachCounter } from './reach.js';
import type { ComparisonSettings } from './settings.js';
import type { MeasurePair, PieceTallies, SkipReason } from './tasks.js';

/** Counts the cases of one piece. */
export class PieceCounter {
  readonly #counts = { identical: 0, changed: 0, newlyFailed: 0, newlyCompleted: 0 };
  readonly #skipped: Partial<Record<SkipReason, number>> = {};
  readonly #fields = new Map<string, number>();
  readonly #transitions = new Map<string, number>();
  readonly #measures: MeasurePair[];
  readonly outcomes: OutcomeCounter;
  readonly reach = new ReachCounter();
  readonly #beforeUs: number[] = [];
  readonly #afterUs: number[] = [];

  constructor(settings: ComparisonSettings) {
    this.#measures = settings.measures.map(() => ({ before: noMeasure, after: noMeasure }));
    this.outcomes = new OutcomeCounter(settings);
  }

  skip(reason: SkipReason): [] {
    this.#skipped[reason] = (this.#skipped[reason] ?? 0) + 1;
    return [];
  }

  /** Milliseconds in the engine; null where it was not run. */
  countRun(afterMs: number, beforeMs: number | null): void {
    this.#afterUs.push(microseconds(afterMs));
    if (beforeMs !== null) this.#beforeUs.push(microseconds(beforeMs));
  }

  measured(index: number, { before, after }: MeasurePair): void {
    const { before: earlier = noMeasure, after: later = noMeasure } = this.#measures[index] ?? {};
    this.#measures[index] = { before: addMeasures(earlier, before), after: addMeasures(later, after) };
  }

  count(as: 'newlyFailed' | 'newlyCompleted'): void {
    this.#counts[as]++;
  }

  /** A case that failed in both runs, or completed in both with these differences. */
  compared(changes: readonly ChangedField[]): void {
    this.#counts[changes.length === 0 ? 'identical' : 'changed']++;
    for (const change of changes) {
      add(this.#fields, change.pointer);
      add(this.#transitions, changeText(change, shownInTransition));
    }
  }

  tallies(): PieceTallies {
    return {
      ...this.#counts,
      skipped: this.#skipped,
      fields: [...this.#fields],
      transitions: [...this.#transitions],
      measures: this.#measures,
      outcomes: this.outcomes.tallies(),
      reached: this.reach.counts,
      beforeUs: this.#beforeUs,
      afterUs: this.#afterUs,
    };
  }
}

const add = (counts: Map<string, number>, text: string): void => void counts.set(text, (counts.get(text) ?? 0) + 1);

const microseconds = (ms: number): number => Math.round(ms * 1000);
