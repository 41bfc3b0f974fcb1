import { valueAt } from '../../json/index.js';
import { sides } from './changes.js';
import { changeText } from './describe.js';
import { areNear, isNumber } from './numbers.js';
import type { ComparisonSettings, StatedResult } from './settings.js';

/** Which results had which outcome, of one name. */
export interface OutcomeTally {
  /** Cases of which no outcome is known. */
  readonly unknown: number;
  readonly known: number;
  /** JSON of `{before, after, outcome}`, with the number of cases. */
  readonly table: readonly (readonly [text: string, count: number])[];
  readonly before: Fit;
  readonly after: Fit;
}

/** How the stated result met what really happened. */
export interface Fit {
  /** It was stated, and happened. */
  readonly right: number;
  /** It was stated, and did not happen. */
  readonly wrong: number;
  /** It was not stated, and happened. */
  readonly missed: number;
}

export const noFit: Fit = { right: 0, wrong: 0, missed: 0 };

export const addFits = (one: Fit, other: Fit): Fit => ({
  right: one.right + other.right,
  wrong: one.wrong + other.wrong,
  missed: one.missed + other.missed,
});

/** Characters of a value that are shown in the table. */
const shown = 200;

/** The two results of a case, as exactly parsed JSON; undefined where the run failed. */
interface Results {
  readonly before: unknown;
  readonly after: unknown;
}

/** Counts the outcomes of a piece's cases. */
export class OutcomeCounter {
  readonly #stated: StatedResult | null;
  readonly #counted: { unknown: number; known: number; readonly table: Map<string, number>; before: Fit; after: Fit }[];

  constructor({ outcomes, stated }: Pick<ComparisonSettings, 'outcomes' | 'stated'>) {
    this.#stated = stated;
    this.#counted = outcomes.map(() => ({ unknown: 0, known: 0, table: new Map(), before: noFit, after: noFit }));
  }

  /** @param outcomes in the order of the settings, JSON; null where nothing is known */
  count(outcomes: readonly (string | null)[], results: Results): void {
    if (this.#counted.length === 0) return;
    const before = this.#valueOf(results.before);
    const after = this.#valueOf(results.after);
    this.#counted.forEach((counted, index) => {
      const outcome = outcomes[index] ?? null;
      if (outcome === null) {
        counted.unknown++;
        return;
      }
      counted.known++;
      const change = changeText({ pointer: '', ...sides({ before, after }) }, shown);
      const text = change.replace('"pointer":"",', '').replace('"pointer":""', '').slice(0, -1);
      const row = `${text}${text === '{' ? '' : ','}"outcome":${outcome}}`;
      counted.table.set(row, (counted.table.get(row) ?? 0) + 1);
      const happened = hasHappened(outcome);
      counted.before = addFits(counted.before, this.#fit(before, happened));
      counted.after = addFits(counted.after, this.#fit(after, happened));
    });
  }

  #valueOf(result: unknown): unknown {
    return result === undefined ? undefined : valueAt(result, this.#stated?.pointer ?? '');
  }

  #fit(value: unknown, happened: boolean): Fit {
    const stated = this.#stated !== null && isEqual(value, this.#stated.equals);
    return {
      right: stated && happened ? 1 : 0,
      wrong: stated && !happened ? 1 : 0,
      missed: !stated && happened ? 1 : 0,
    };
  }

  tallies(): OutcomeTally[] {
    return this.#counted.map(({ table, ...counted }) => ({ ...counted, table: [...table] }));
  }
}

/** Something happened unless its value says that it did not. */
const hasHappened = (outcome: string): boolean => !['null', 'false', '0', '""'].includes(outcome);

const isEqual = (value: unknown, wanted: StatedResult['equals']): boolean =>
  isNumber(value) && isNumber(wanted) ? areNear(value, wanted, 0) : value === wanted;
