import type { Model } from './models.js';
import { chain, expressions, type TestNode } from './tasks.js';

/** A price that two other decisions know parts of, with columns that are called as those of a spreadsheet. */

const passing = ({ type, content }: TestNode, name: string): TestNode => ({
  type,
  name,
  content: { ...(content as object), passThrough: true },
});

const tableOf = (
  inputs: readonly string[],
  outputs: readonly string[],
  rows: readonly (readonly string[])[],
): object => {
  const column = (name: string): object => ({ id: name, name, field: name });
  const names = [...inputs, ...outputs];
  return {
    ...{ hitPolicy: 'first', inputs: inputs.map(column), outputs: outputs.map(column) },
    rules: rows.map((cells, at) => ({
      _id: `r${at + 1}`,
      ...Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
    })),
  };
};

/** Row 3 is never reached: row 1 takes all that it would. */
export const baseRates = (home = '9.5'): Model =>
  chain({
    type: 'decisionTableNode',
    name: 'Base rates',
    content: tableOf(
      ['Zone', 'Weight'],
      ['Base price (EUR)', 'Class'],
      [
        ['"home"', '<= 100', home, '"small"'],
        ['"abroad"', '', '24', '"small"'],
        ['"home"', '< 50', '7', '"small"'],
      ],
    ),
  }) as Model;

export const surcharges = (): Model => chain(expressions({ VAT: "Customer == 'business' ? 0 : 0.19" })) as Model;

/** Runs both, and reads what they give by its bare name and of the root. */
export const freightPrice = (): Model =>
  chain(
    passing({ type: 'decisionNode', content: { key: './base-rates.json' } }, 'Base price'),
    passing({ type: 'decisionNode', content: { key: './surcharges.json' } }, 'Tax'),
    passing(expressions({ Net: '$root["Base price (EUR)"] * Pieces', Gross: '$.Net * (1 + VAT)' }), 'Total'),
    { type: 'outputNode', name: 'Response' },
  ) as Model;

/** The one that runs the others comes after them. */
export const freight = () => ({
  'freight/base-rates.json': baseRates(),
  'freight/surcharges.json': surcharges(),
  'freight/price.json': freightPrice(),
});
