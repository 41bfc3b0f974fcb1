import { normalizeContextKey } from 'lezer-feel';
import type { Site } from './feelRun.js';
import type { Advice } from './hints.js';
import { anyType, type FeelType } from './values/value.js';

/**
 * A name in its one form: `a-b` and `a - b` are the same name. The library's pattern takes time in proportion to the square of
 * the blanks in a row, and names are a stranger's: blanks that it would make one are one before.
 */
export const normalName = (name: string): string => normalizeContextKey(name.replace(/\s{2,}/g, ' '));

/** Where a name's value stands: in the frame so many scopes up, or perhaps in an item that a filter looks at. */
interface Slot {
  readonly levels: number;
  readonly index: number;
  readonly type: FeelType;
}

/** What a name may mean: members of the items of filters from the innermost out, then the slot, if there is one. */
export interface Resolved {
  /** So many scopes up are the filters. */
  readonly shadows: readonly number[];
  readonly slot: Slot | undefined;
}

/** The names that expressions see, as far as they are known when they are compiled. */
export class Scope {
  readonly #names = new Map<string, { index: number; type: FeelType }>();
  #defined = 0;

  readonly parent: Scope | null;
  /** Of an outermost scope: may give a place to a name that nothing declares, and says whether it did. */
  undeclared: ((name: string, type: FeelType, site: Site, advice?: Advice) => boolean) | undefined;
  /** Of an outermost scope: what is told of each cell that is one of the names which got a place so. */
  readonly doubts = new Map<string, (site: Site, advice: Advice) => void>();
  /** Of a filter: its first value is the item, whose members are names here. */
  readonly isFilter: boolean;
  /** Of a test: the name that its value has outside, where it has one. */
  tested: string | undefined;

  constructor(parent: Scope | null, isFilter = false) {
    this.parent = parent;
    this.isFilter = isFilter;
  }

  /** Gives a name the next place of the frame, a place of its own also where the name has one already. */
  define(name: string, type: FeelType = anyType): number {
    const index = this.#defined++;
    this.#names.set(normalName(name), { index, type });
    return index;
  }

  /** Gives a name a certain place of the frame. */
  place(name: string, index: number, type: FeelType): void {
    this.#names.set(normalName(name), { index, type });
  }

  /** Whether a name of this scope is another one for the same place. */
  names(name: string, other: string): boolean {
    const alias = this.#names.get(normalName(other));
    return alias !== undefined && alias.index === this.#names.get(name)?.index;
  }

  /** The scope with the names that the parser needs: `?` is no name to it. */
  get ofParser(): Scope {
    return this.parent !== null && this.#names.size === 1 && this.#names.has('?') ? this.parent : this;
  }

  /** Whether a name that nothing declares has got a place after all. */
  assume(name: string, type: FeelType, site: Site, advice?: Advice): boolean {
    return this.#outwards().at(-1)?.undeclared?.(name, type, site, advice) ?? false;
  }

  /** Tells of a cell that is a name which nothing declares; undefined for other names. */
  doubtOf(name: string): ((site: Site, advice: Advice) => void) | undefined {
    return this.#outwards().at(-1)?.doubts.get(name);
  }

  resolve(name: string): Resolved {
    const shadows: number[] = [];
    for (const [levels, scope] of this.#outwards().entries()) {
      // An item's own member hides even the name `item`.
      if (scope.isFilter) shadows.push(levels);
      const found = scope.#names.get(name);
      if (found !== undefined) return { shadows, slot: { levels, ...found } };
    }
    return { shadows, slot: undefined };
  }

  /** Every name with its type, those of inner scopes before those that they hide. */
  *all(): Iterable<[name: string, type: FeelType]> {
    for (const scope of this.#outwards()) for (const [name, { type }] of scope.#names) yield [name, type];
  }

  #outwards(): Scope[] {
    const scopes: Scope[] = [this];
    for (let outer = this.parent; outer !== null; outer = outer.parent) scopes.push(outer);
    return scopes;
  }
}
