/** A regular expression of the reference (the crate `regex`), parsed. Flags are resolved: each part says what it does. */
export type Regex =
  | { readonly kind: 'empty' }
  | { readonly kind: 'literal'; readonly code: number; readonly fold: boolean }
  | { readonly kind: 'set'; readonly set: SetNode; readonly fold: boolean }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'group'; readonly index: number | null; readonly inner: Regex }
  | {
      readonly kind: 'repeat';
      readonly inner: Regex;
      readonly least: number;
      /** Null: without end. */
      readonly most: number | null;
      readonly greedy: boolean;
    }
  | { readonly kind: 'concat'; readonly parts: readonly Regex[] }
  | { readonly kind: 'either'; readonly parts: readonly Regex[] };

/** `asciiWord` and `notAsciiWord` are `(?-u:\b)` and `(?-u:\B)`. */
export type Assertion =
  | 'start'
  | 'end'
  | 'lineStart'
  | 'lineEnd'
  | 'word'
  | 'notWord'
  | 'asciiWord'
  | 'notAsciiWord'
  | 'wordStart'
  | 'wordEnd'
  | 'wordStartHalf'
  | 'wordEndHalf';

/** A set of characters. */
export type SetNode =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'perl'; readonly letter: 'd' | 's' | 'w'; readonly negated: boolean; readonly unicode: boolean }
  | { readonly kind: 'posix'; readonly name: string; readonly negated: boolean }
  /** As V8 writes it: `Lu`, `Script=Greek`, `Alphabetic`. */
  | { readonly kind: 'property'; readonly name: string; readonly negated: boolean }
  | { readonly kind: 'union'; readonly items: readonly SetNode[]; readonly negated: boolean }
  | {
      readonly kind: 'operation';
      readonly operator: '&&' | '--' | '~~';
      readonly left: SetNode;
      readonly right: SetNode;
    };

export interface ParsedRegex {
  readonly tree: Regex;
  /** Capturing groups. */
  readonly groups: number;
  /** Some of its assertions ask whether characters beyond ASCII are of words. */
  readonly asksForWords: boolean;
  /** It has assertions that RE2 has not, or repeats groups more often than RE2 does. */
  readonly isBeyondRe2: boolean;
}

/** Why a text is no regular expression, or none that can be done here. */
export class RegexError extends Error {}
