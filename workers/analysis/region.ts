import { attempt, type Budget } from './budget.js';
import type { Column } from './columns.js';
import { isEmptyBox, overlap, uncovered, type Box } from './boxes.js';
import { Descent } from './descent.js';
import { isWithin } from './ranges.js';
import type { RowBox } from './tableBoxes.js';

/** Comparisons of the short search that is tried before a guess, where guesses have failed. */
const comparisonsBeforeGuess = 3000;

export const exactBoxes = (rows: readonly RowBox[]): Box[] =>
  rows.filter(({ isExact }) => isExact).map(({ may }) => may);

/** Finds, for one row after the other, a part of the inputs that the row takes before the others. */
export class RegionSearch {
  readonly #rows: readonly RowBox[];
  readonly #possible: Box;
  readonly #descent: Descent;
  /** How many guesses in a row found nothing. */
  #missed = 0;

  /** @param possible the box that holds all inputs */
  constructor(rows: readonly RowBox[], columns: readonly Column[], possible: Box) {
    this.#rows = rows;
    this.#possible = possible;
    this.#descent = new Descent(columns);
  }

  /**
   * A box of inputs that a row surely takes before the rows at some indexes; null where none is known.
   * @throws BudgetExceeded
   */
  regionOf({ may }: RowBox, places: Uint32Array, budget: Budget): Box | null | 'shadowed' | 'unreachable' {
    const within = overlap(may, this.#possible);
    if (isEmptyBox(within)) return 'unreachable';
    const others = Array.from(places, (place) => this.#rows[place] as RowBox);
    const exact = exactBoxes(others);
    const free = this.#freePart(within, exact, { guess: () => this.#descent.find(within, places, budget), budget });
    if (free === null) return 'shadowed';
    if (exact.length === others.length) return free;
    const all = others.map((other) => other.may);
    return uncovered(free, all, budget, 1)[0] ?? uncovered(within, all, budget, 1)[0] ?? null;
  }

  /** The first row at some indexes that takes alone all that a row would. */
  hiderOf({ may }: RowBox, places: Uint32Array): RowBox | undefined {
    const within = overlap(may, this.#possible);
    const place = places.find((at) => {
      const other = this.#rows[at] as RowBox;
      return other.isExact && within.every((ranges, dimension) => isWithin(ranges, other.may[dimension] ?? []));
    });
    return place === undefined ? undefined : this.#rows[place];
  }

  /** Of what a hidden row takes, a part that comes to the row which hides it; all of it where earlier ones may take the rest. */
  hiddenPart({ may }: RowBox, hider: RowBox | undefined, places: Uint32Array, budget: Budget): Box {
    const within = overlap(may, this.#possible);
    const rows = Array.from(places, (place) => this.#rows[place] as RowBox);
    const earlier = hider === undefined ? [] : rows.slice(0, rows.indexOf(hider)).map((row) => row.may);
    return attempt(budget, (limited) => uncovered(within, earlier, limited, 1)[0], comparisonsBeforeGuess) ?? within;
  }

  /**
   * A part of a box that no other surely takes; null where there is none. Where rows are wide ranges, a guess finds it in a
   * fraction of a search; where they are long lists, a search soon sees that there is none.
   */
  #freePart(box: Box, others: readonly Box[], { guess, budget }: Means): Box | null {
    const search = (limited: Budget): Box | null => uncovered(box, others, limited, 1)[0] ?? null;
    if (this.#missed > 1) {
      const found = attempt(budget, search, comparisonsBeforeGuess);
      if (found !== undefined) {
        if (found !== null) this.#missed = 0;
        return found;
      }
    }
    const guessed = guess();
    this.#missed = guessed === undefined ? this.#missed + 1 : 0;
    return guessed ?? search(budget);
  }
}

interface Means {
  /** A part of the box that no other may take. */
  readonly guess: () => Box | undefined;
  readonly budget: Budget;
}
