import fc from 'fast-check';
import { assignments, cellPatterns, leaves, patterns, type Kind } from './patterns.js';

type Grammar = Record<Kind, string>;

type Tie = (kind: Kind) => fc.Arbitrary<string>;

/** A pattern such as `{number} + {number}`: each name in braces stands for a source of that kind. */
function pattern(text: string, tie: Tie): fc.Arbitrary<string> {
  const pieces = text.split(/\{(\w+)\}/);
  // Inside a template the package reads neither templates nor braces.
  const fits = text.includes('`') ? (source: string): string => (/[`{}]/.test(source) ? 's' : source) : undefined;
  const holes = pieces
    .filter((_, index) => index % 2 === 1)
    .map((kind) => (fits === undefined ? tie(kind as Kind) : tie(kind as Kind).map(fits)));
  return fc
    .tuple(...holes)
    .map((sources) =>
      pieces.map((piece, index) => (index % 2 === 1 ? (sources[(index - 1) / 2] ?? '') : piece)).join(''),
    );
}

/** One in so many holes takes a source of any kind. */
const stranger = 14;

const grammar = fc.letrec<Grammar>((tie) => {
  const hole: Tie = (kind) =>
    fc.oneof({ weight: stranger, arbitrary: tie(kind) }, { weight: 1, arbitrary: tie('any') });
  const rule = (kind: Kind): fc.Arbitrary<string> =>
    fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      { weight: 2, arbitrary: fc.constantFrom(...leaves[kind]) },
      { weight: 3, arbitrary: fc.oneof(...patterns[kind].map((text) => pattern(text, hole))) },
    );
  return {
    number: rule('number'),
    text: rule('text'),
    truth: rule('truth'),
    numbers: rule('numbers'),
    texts: rule('texts'),
    object: rule('object'),
    date: rule('date'),
    any: rule('any'),
  };
});

const byName: Tie = (kind) => grammar[kind];

/** An expression that mostly makes sense. */
export const someSource: fc.Arbitrary<string> = grammar.any;
/** The same, or assignments. */
export const someExpression: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: grammar.any },
  { weight: 1, arbitrary: fc.oneof(...assignments.map((text) => pattern(text, byName))) },
);
export const someCondition: fc.Arbitrary<string> = grammar.truth;
export const someNumberSource: fc.Arbitrary<string> = grammar.number;
export const someTextSource: fc.Arbitrary<string> = grammar.text;

/** A cell of a table that tests its field. */
export const someCell: fc.Arbitrary<string> = fc.oneof(...cellPatterns.map((text) => pattern(text, byName)));
