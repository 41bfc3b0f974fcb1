import { expect } from 'chai';
import { validate } from '../../../../workers/engine/index.js';
import { expressions, single, table } from '../../../support/engine.js';

const warningsOf = (model: unknown): string[] =>
  validate(model, { knows: () => true })
    .filter(({ severity }) => severity === 'warning')
    .map(({ message, span = [] }) => `${span.join('-')} ${message}`);

const before = 'before version 1.0';
const compared = `A date is compared with the date that the text names; ${before} they were never equal.`;
const rows: readonly (readonly [expression: string, ...warnings: string[]])[] = [
  ["d('2023-10-15T12:00:00+02:00')", `0-30 The offset of the text is honoured; ${before} its local time was taken.`],
  [
    "d('2023-10-15T12:00:00Z', 'Europe/Berlin')",
    `0-42 The offset of the text is honoured; ${before} its local time was taken.`,
  ],
  ["d('2023-10-15T12:00:00Z')"],
  ["d('2023-10-15', 'Europe/Berlin')"],
  ["d(d('2023-10-15'), 'Europe/Berlin')", `0-35 The date is converted to the time zone; ${before} it kept its own.`],
  ["d(x) == '2023-10-15'", `0-20 ${compared}`],
  ["'2023-10-15' < (d(x))", `0-21 ${compared}`],
  ['d(x) == d(y)'],
  ['d(x) == y'],
  ['contains(list, d(x))', `0-20 Dates are found in lists; ${before} they were not.`],
  [
    "matches(x, '[^\\\\W_]')",
    `0-21 The negated class knows all of Unicode; ${before} it knew ASCII alone within brackets.`,
  ],
  ["matches(x, '\\\\W')"],
  ["'d(x) == 1'"],
];

describe('what answers otherwise since version 1.0', () => {
  for (const [expression, ...warnings] of rows) {
    it(`${expression} is ${warnings.length === 0 ? 'not warned of' : 'warned of, with its place'}`, () => {
      expect(warningsOf(single(expressions('e', { x: expression })))).to.deep.equal(warnings);
    });
  }

  it('is warned of in cells, and where nothing else is wrong', () => {
    const cells = table('t', { inputs: ['at'], outputs: ['x'] }, [{ i0: "d('2024-01-01T00:00:00+01:00')", o0: '1' }]);
    expect(warningsOf(single(cells))).to.have.length(1);
    expect(warningsOf(single(expressions('e', { x: "d(x) == '2023' and nope(1)" })))).to.deep.equal([]);
  });
});
