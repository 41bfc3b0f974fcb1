import type { ZenObject } from '../../values.js';
import { ZenDate } from './date.js';
import { compareNumbers, numberText, type Numeric } from './numbers.js';

export type Bracket = '(' | ')' | '[' | ']';
type Bound = Numeric | ZenDate;

/** `[a..b)` over numbers or dates. Turned brackets, as in `]a..b[`, mean "outside". Immutable. */
export class ZenInterval implements ZenObject {
  readonly zenType = 'interval';
  readonly left: Bound;
  readonly right: Bound;
  readonly open: Bracket;
  readonly close: Bracket;

  constructor(open: Bracket, left: Bound, right: Bound, close: Bracket) {
    this.open = open;
    this.left = left;
    this.right = right;
    this.close = close;
  }

  includes(value: Bound): boolean {
    const fromLeft = compareBounds(value, this.left);
    const fromRight = compareBounds(this.right, value);
    const second = within(
      this.close === ')' || this.close === ']',
      this.close === ']' || this.close === '[',
      fromRight,
    );
    if (this.open === '(' || this.open === '[') return within(true, this.open === '[', fromLeft) && second;
    return within(false, this.open === ']', fromLeft) || second;
  }

  toJSON(): string {
    return `${this.open}${boundText(this.left)}..${boundText(this.right)}${this.close}`;
  }
}

/** Is a signed distance on the wanted side, `closed` saying whether zero counts? */
function within(inside: boolean, closed: boolean, distance: number): boolean {
  return distance === 0 ? closed : distance > 0 === inside;
}

function compareBounds(a: Bound, b: Bound): number {
  if (a instanceof ZenDate) return b instanceof ZenDate ? a.compare(b) : 1;
  return b instanceof ZenDate ? -1 : compareNumbers(a, b);
}

function boundText(bound: Bound): string {
  return bound instanceof ZenDate ? bound.toJSON() : numberText(bound);
}
