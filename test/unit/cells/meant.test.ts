import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';
import { compile, validate, type Diagnostic, type Value } from '../../../workers/engine/index.js';
import { frozen } from '../../support/engine.js';
import { convertedSheet } from '../../support/sheets.js';
import { parseRow } from '../../golden/rows.js';

interface TableModel {
  readonly nodes: readonly { readonly type: string; readonly content: TableContent }[];
}
interface TableContent {
  readonly inputs: readonly { readonly id: string }[];
  readonly rules: readonly Record<string, string>[];
}

type Column = 'number' | 'text' | 'date' | 'time' | 'boolean';
type Accepts = (value: unknown) => boolean;

/** A cell as people write it, among others of its column. */
interface MeantCell {
  readonly place: string;
  readonly cell: string;
  readonly column: Column;
  /** As the row has it. */
  readonly meaning: string;
  /** More than one where nobody but its author can say. */
  readonly means: readonly Accepts[];
}

/**
 * Rows of `column;cell;meanings`, written before the code that reads such cells: what their authors mean, parted by `|` where
 * nobody else can say. `>= 5 & < 10` is both, `5..10, = 12` either; among texts `a&&b` is one of both, `!a` what is not it,
 * `a~b` what lies between as words do, `"true"` the text; `*` is everything. `probes.json` has values on each side of all bounds.
 */
const folder = path.resolve('test/golden/cells');
const probes = JSON.parse(readFileSync(path.join(folder, 'probes.json'), 'utf8')) as Record<Column, unknown[]>;
const meantCells = readFileSync(path.join(folder, 'meant.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line, index): MeantCell => {
    const [column, cell = '', means = ''] = parseRow(line) as [Column, string?, string?];
    const accepts = means === '' ? [] : means.split(' | ').map((meaning) => meant(column, meaning));
    return { place: `test/golden/cells/meant.txt:${index + 1}`, column, cell, meaning: means, means: accepts };
  });

function meant(column: Column, meaning: string): Accepts {
  if (meaning === '*') return () => true;
  if (column === 'text' || column === 'boolean') return amongWords(meaning);
  const shape = { number: /^-?[\d.]+$/, date: /^\d{4}-\d{2}-\d{2}$/, time: /^\d{2}:\d{2}$/ }[column];
  const isOfColumn = (value: unknown): value is string | number =>
    typeof value === (column === 'number' ? 'number' : 'string') && shape.test(String(value));
  const bound = (text: string): string | number => (column === 'number' ? Number(text) : text);
  const comparisons = meaning.split(', ').map((part) =>
    part.split(' & ').flatMap((one): readonly (readonly [sign: string, bound: string])[] => {
      const [, low, high] = /^(\S+?)\.\.(\S+)$/.exec(one) ?? [];
      if (low !== undefined && high !== undefined)
        return [
          ['>=', low],
          ['<=', high],
        ];
      const [sign = '', text = ''] = one.split(' ');
      return [[sign, text]];
    }),
  );
  return (value) =>
    isOfColumn(value) && comparisons.some((all) => all.every(([sign, text]) => compares[sign]?.(value, bound(text))));
}

const compares: Readonly<Record<string, (value: string | number, bound: string | number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '!=': (value, bound) => value !== bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
};

function amongWords(meaning: string): Accepts {
  const [low = '', high] = meaning.split('~');
  if (high !== undefined) return (value) => typeof value === 'string' && value >= low && value <= high;
  const isNot = meaning.startsWith('!');
  const read = (word: string): unknown => (/^(?:true|false|".*")$/.test(word) ? JSON.parse(word) : word);
  const words = meaning
    .slice(isNot ? 1 : 0)
    .split('&&')
    .map(read);
  return (value) => words.includes(value) !== isNot;
}

/** Other cells of a column, as they stand in the model; they are below the one that is tried. */
const others: Readonly<Record<Column, readonly string[]>> = {
  number: ['77777', '> 88888', '[66666..66667]', '< -77777', '55555'],
  text: ['"Loan"', '"Lease"', '"Credit"', '"Card"', '"Bond"'],
  date: ['"1999-01-01"', '"1999-02-01"', '"1999-03-01"', '"1999-04-01"', '"1999-05-01"'],
  time: ['"03:33"', '"03:34"', '"03:35"', '"03:36"', '"03:37"'],
  boolean: ['true', 'false', 'true', 'false', 'true'],
};

const field = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A file with the cell in its first row. */
const fileWith = ({ cell, column }: MeantCell): string =>
  [['Value', 'Row'], [cell, '1'], ...others[column].map((other) => [other, '2'])]
    .map((row) => row.map(field).join(','))
    .join('\n');

interface Made {
  readonly model: TableModel;
  readonly diagnostics: readonly Diagnostic[];
}

function imported(meant: MeantCell): Made {
  const { content, diagnostics } = convertedSheet(fileWith(meant));
  return { model: content as TableModel, diagnostics };
}

/** As the desk has it: the text that was typed is the cell. */
function typed(meant: MeantCell, text = meant.cell): Made {
  const content = {
    hitPolicy: 'first',
    inputs: [{ id: 'a', name: 'Value', field: 'Value' }],
    outputs: [{ id: 'o', name: 'Row', field: 'Row' }],
    rules: [text, ...others[meant.column]].map((a, row) => ({ _id: `r${row}`, a, o: row === 0 ? '1' : '2' })),
  };
  const model = {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', content: {} },
      { id: 't', type: 'decisionTableNode', name: 'Rates', content },
      { id: 'out', type: 'outputNode', name: 'Response', content: {} },
    ],
    edges: [
      { id: 'e', sourceId: 'in', targetId: 't' },
      { id: 'f', sourceId: 't', targetId: 'out' },
    ],
  };
  return { model: model as unknown as TableModel, diagnostics: validate(model, { knows: () => true }) };
}

const tableIn = ({ nodes }: TableModel): TableContent =>
  nodes.find(({ type }) => type === 'decisionTableNode')!.content;

const isTold = ({ model, diagnostics }: Made): boolean => {
  const pointer = `/nodes/1/content/rules/0/${tableIn(model).inputs[0]!.id}`;
  return diagnostics.some((diagnostic) => diagnostic.pointer === pointer);
};

/** The values for which the row of the cell is taken. */
function taken({ model }: Made, column: Column): unknown[] {
  const program = compile(model, { resolve: () => undefined });
  return probes[column].filter((value) => {
    const outcome = program.run({ Value: value } as Value, frozen);
    return (outcome as { result?: { Row?: unknown } }).result?.Row === 1;
  });
}

/** Which of a cell's meanings a model has. */
function isAsMeantBy(made: Made, { column, means }: MeantCell): number[] {
  const found = new Set(taken(made, column));
  return means.flatMap((accepts, at) =>
    probes[column].every((value) => found.has(value) === accepts(value)) ? [at] : [],
  );
}

/** Whether a model does for each value what the author of its cell means. */
const isAsMeant = (made: Made, meant: MeantCell): boolean =>
  meant.means.length === 1 && isAsMeantBy(made, meant).length === 1;

/** They are told, and a person writes them anew. */
const unread: ReadonlySet<string> = new Set([
  '500,- €',
  '5 / 10',
  'not 5-10',
  '850-750',
  '[850..750]',
  'noon',
  '5 und 6',
  '18 und 24',
]);

const shown = ({ place, cell, column }: MeantCell): string => `${place} ${cell} in a column of ${column}`;

describe('every cell that people write does what they mean, or is told', () => {
  for (const [way, make] of [
    ['imported', imported],
    ['typed', typed],
  ] as const) {
    it(`where it is ${way}`, () => {
      const neither = meantCells.filter((meant) => {
        const made = make(meant);
        return !isTold(made) && !isAsMeant(made, meant);
      });
      expect(neither.map(shown)).to.deep.equal([]);
    });
  }

  it('and what is offered for it is what they may mean: one way to repair it where there is one meaning', () => {
    const wrong = meantCells.filter((meant) => {
      const column = columnOf({}, true, [meant.cell, ...others[meant.column]]);
      const readings = readCell(meant.cell, column)?.readings ?? [];
      const found = readings.map((text) => isAsMeantBy(typed(meant, text), meant));
      const missing = meant.means.filter((_meaning, at) => !found.some((matches) => matches.includes(at)));
      if (readings.length === 0) return false;
      // Nothing is guessed: where one repair is offered, there is one meaning, and this is it.
      return readings.length === 1 ? meant.means.length !== 1 || missing.length > 0 : missing.length > 0;
    });
    expect(wrong.map(shown)).to.deep.equal([]);
  });

  it('and what has a meaning among numbers, days and times is read', () => {
    const silent = meantCells.filter((meant) => {
      if (meant.means.length === 0 || meant.column === 'text' || meant.column === 'boolean') return false;
      if (unread.has(meant.cell) || meant.cell.includes('Jan 31,')) return false;
      const column = columnOf({}, true, [meant.cell, ...others[meant.column]]);
      return (readCell(meant.cell, column)?.readings ?? []).length === 0 && !isAsMeant(typed(meant), meant);
    });
    expect(silent.map(shown)).to.deep.equal([]);
  });

  it('and a column of bands is one of numbers, days or times, in all words for them', () => {
    const bands = meantCells.filter(
      ({ cell, column, means, meaning }) =>
        column !== 'text' &&
        means.length === 1 &&
        !unread.has(cell) &&
        /\.\.|>.*&.*</.test(meaning) &&
        !/[,;]/.test(cell),
    );
    const other = bands.filter(({ cell, column }) => columnOf({}, true, [cell, cell, cell]).kind !== column);
    expect(other.map(shown)).to.deep.equal([]);
  });

  it('and has no fault once it is repaired', () => {
    const again = meantCells.filter((meant) => {
      const column = columnOf({}, true, [meant.cell, ...others[meant.column]]);
      const readings = readCell(meant.cell, column)?.readings ?? [];
      return readings.length === 1 && isTold(typed(meant, readings[0]));
    });
    expect(again.map(shown)).to.deep.equal([]);
  });
});
