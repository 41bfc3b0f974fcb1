import { expect } from 'chai';
import fc from 'fast-check';
import { isComparable } from '../../../workers/analysis/constants.js';
import { Dimension } from '../../../workers/analysis/dimension.js';
import {
  cellPredicate,
  computedColumn,
  conditionPredicates,
  type Predicate,
} from '../../../workers/analysis/predicate.js';
import { isWithin, rangesOf } from '../../../workers/analysis/ranges.js';
import { parseNumber, stringify, type Value } from '../../../workers/engine/index.js';
import { add, isNumeric, subtract, type Numeric } from '../../../workers/engine/zen/values/numbers.js';
import { dateField } from '../../../workers/engine/zen/dates/read.js';
import { cases } from '../../support/environment.js';

const largest = '79228162514264337593543950335';
const numberTexts = [
  ...['-3', '-1', '0', '0.5', '1', '2', '1e3', '1_000', '12345678901234567890', largest, `-${largest}`],
  ...['79228162514264337593543950334', '1.0000000000000000000000000001', '7.9228162514264337593543950333'],
  ...['7.9228162514264337593543950335', '0.0000000000000000000000000001'],
];
const number = fc.constantFrom(...numberTexts);
const text = fc.constantFrom("'a'", "'b'", '"it\'s"', "''", "'2024-01-01'", "'2024-01-01T00:00:00Z'", "'2024'");
const date = fc.constantFrom(
  "d('2024-01-01')",
  "d('2024-06-15T12:00:00+02:00')",
  "d('2024-01-01', 'Europe/Berlin')",
  "d('2024-12-31 23:59:59')",
);
const literal = fc.oneof(number, number, text, date, fc.constantFrom('true', 'false', 'null', "date('2024-01-01')"));
const interval = fc
  .tuple(
    fc.constantFrom('[', '(', ']'),
    fc.oneof(fc.tuple(number, number), fc.tuple(date, date)),
    fc.constantFrom(']', ')', '['),
  )
  .map(([open, [low, high], close]) => `${open}${low}..${high}${close}`);
const list = fc.array(literal, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`);
const operator = fc.constantFrom('<', '<=', '>', '>=', '==', '!=');
const membership = fc.tuple(fc.constantFrom('in', 'not in'), fc.oneof(interval, list)).map((parts) => parts.join(' '));
const comparison = fc.oneof(
  fc.tuple(operator, literal).map((parts) => parts.join(' ')),
  membership,
);

/** A field, and what is computed of it in proportion. */
const computedOf = (field: string): fc.Arbitrary<string> =>
  fc.letrec<{ computed: string }>((tie) => ({
    computed: fc.oneof(
      { maxDepth: 2 },
      fc.constant(field),
      tie('computed').map((inner) => `-(${inner})`),
      fc.tuple(tie('computed'), fc.constantFrom('+', '-', '*', '/'), number).map((parts) => `(${parts.join(' ')})`),
      fc.tuple(number, fc.constantFrom('+', '-', '*'), tie('computed')).map((parts) => `(${parts.join(' ')})`),
    ),
  })).computed;

const conditionOf = (field: string): fc.Arbitrary<string> =>
  fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 2 },
      fc.tuple(computedOf(field), comparison).map((parts) => parts.join(' ')),
      fc.tuple(literal, operator).map((parts) => `${parts.join(' ')} ${field}`),
      fc.constant(field),
      fc
        .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
        .map(([left, joined, right]) => `(${left}) ${joined} (${right})`),
      tie('condition').map((inner) => `not (${inner})`),
      fc
        .tuple(tie('condition'), tie('condition'), tie('condition'))
        .map(([test, yes, no]) => `(${test}) ? (${yes}) : (${no})`),
    ),
  })).condition;

const cell = fc.oneof(
  fc
    .array(fc.oneof(comparison, interval, list, literal), { minLength: 1, maxLength: 3 })
    .chain((tests) => fc.constantFrom(' and ', ' or ', ', ').map((joined) => tests.join(joined))),
  conditionOf('$'),
  conditionOf('$').map((condition) => `(${condition})`),
);

/** Values beside all constants, of every kind that a field can have. */
const values: readonly Value[] = [
  ...[null, true, false, [], [1], ['a'], [[]], {}, { a: 1 }],
  ...['a', 'b', 'c', "it's", '', '2024', '20240101', '2025', 'Europe/Berlin', '12', '2024-01-01', '1999-01-01'],
  ...['2024-01-01T00:00:00Z', '2024-01-01T00:00:00+00:00', '2024-06-15T10:00:00Z', '2023-12-31T23:30:00Z'],
  ...['2024-12-31 23:59:59', '2024-12-31T23:59:59.500Z'],
  ...['-4', '0.25', '3', '999', '1001', '1e20', '1704067200', '1704067201', '12345678901234567891'].map(exactly),
  ...['79228162514264337593543950333', '-79228162514264337593543950334', '1.0000000000000000000000000002'].map(exactly),
  ...['7.9228162514264337593543950334', '7.9228162514264337593543950332', '-0.0000000000000000000000000001'].map(
    exactly,
  ),
  ...numberTexts.map(exactly),
  ...['2024-01-01', '2023-12-31T23:00:00Z', '2024-06-15T10:00:00Z', 'no date', '1990-01-01'].map(dateField),
  ...['2030-01-01T00:00:00.5Z', '2024-12-31T23:59:59Z', '2024-01-01T00:00:00.001Z'].map(dateField),
];

function exactly(digits: string): Value {
  const parsed = parseNumber(digits);
  if (parsed === undefined) throw new Error(`${digits} is no number`);
  return parsed;
}

/** Numbers as near to a constant as there are. */
const beside = (constant: Value): Value[] =>
  isNumeric(constant)
    ? [28, 27, 26, 20, 10, 1, 0, -3].flatMap((places) => {
        const step = exactly(`1e${-places}`) as Numeric;
        return [add(constant, step) ?? constant, subtract(constant, step) ?? constant];
      })
    : [];

/** Where the engine says of a value what it does not say of its atom's one. */
function mistakes(predicate: Predicate, others: readonly Value[] = []): string[] {
  // Other cells of the column tell more values apart.
  const constants = [...predicate.constants, ...others];
  const dimension = new Dimension({ name: 'x', path: ['x'], constants, mayFail: false });
  const { shape } = predicate;
  const admitted = shape === undefined ? dimension.admittedOf(predicate) : dimension.admittedBy(shape);
  return [...values, ...predicate.constants.flatMap(beside)].flatMap((value) => {
    const atom = dimension.atomOf(value);
    const isSaid = isWithin(rangesOf([atom]), admitted);
    return isSaid === predicate.holds(value) ? [] : [`${stringify(value)} as one of atom ${atom}`];
  });
}

const numRuns = cases(2000);

describe('the atoms of a field', () => {
  it('tell apart all that cells tell apart: kinds, numbers to the last digit, texts, moments', () => {
    let read = 0;
    const property = fc.property(cell, (source) => {
      const predicate = cellPredicate(source);
      if (predicate === undefined) return;
      read++;
      expect(mistakes(predicate), source).to.deep.equal([]);
      expect(mistakes(predicate, values.filter(isComparable)), source).to.deep.equal([]);
    });
    fc.assert(property, { numRuns });
    expect(read).to.be.greaterThan(numRuns / 2);
  });

  it('tell apart what cells say of a column that is computed of the field', () => {
    let read = 0;
    const property = fc.property(fc.oneof(computedOf('x'), conditionOf('x')), cell, (field, source) => {
      const predicate = computedColumn(field)?.(source);
      if (predicate === undefined) return;
      read++;
      expect(mistakes(predicate), `${field}: ${source}`).to.deep.equal([]);
    });
    fc.assert(property, { numRuns: numRuns / 4 });
    expect(read).to.be.greaterThan(numRuns / 20);
  });

  it('tell apart all that conditions tell apart', () => {
    let read = 0;
    const property = fc.property(conditionOf('x'), (source) => {
      const predicates = conditionPredicates(source) ?? [];
      read += predicates.length;
      for (const predicate of predicates) expect(mistakes(predicate), source).to.deep.equal([]);
    });
    fc.assert(property, { numRuns });
    expect(read).to.be.greaterThan(numRuns / 2);
  });
});
