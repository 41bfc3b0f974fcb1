import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';
import { compile } from '../../../workers/engine/index.js';
import { faultIn } from '../../../workers/engine/zen/cellFault.js';
import { frozen } from '../../support/engine.js';
import { convertedSheet } from '../../support/sheets.js';

interface Model {
  readonly nodes: readonly {
    readonly content: {
      readonly inputs?: readonly { readonly id: string }[];
      readonly rules?: readonly Record<string, string>[];
    };
  }[];
}

const sheet = [
  'PLZ,Gewicht,Preis',
  '01000-01999,5,1',
  '04109,5,2',
  '"04109, 04229",30,3',
  '04,9,4',
  '80331-81929,5,5',
  'ab 90000,5,6',
];

/** The first conditions of the rows, and the pointers of those that are told. */
function converted(rows: readonly string[]) {
  const { content, diagnostics } = convertedSheet(rows.join('\n'));
  const { inputs = [], rules = [] } = (content as Model).nodes[1]!.content;
  const id = inputs[0]!.id;
  const told = new Set(diagnostics.map(({ pointer }) => pointer));
  return {
    cells: rules.map((rule) => rule[id] ?? ''),
    isTold: rules.map((_rule, row) => told.has(`/nodes/1/content/rules/${row}/${id}`)),
  };
}

const readingsOf = (cells: readonly string[]): (readonly string[] | undefined)[] => {
  const column = columnOf({}, true, cells);
  return cells.map((cell) => readCell(cell, column)?.readings);
};

describe('numbers with zeros before them, among numbers', () => {
  it('stay as they are written, and of the whole column it is asked whether they are numbers or codes', () => {
    const { cells, isTold } = converted(sheet);
    expect(cells).to.deep.equal(['01000-01999', '04109', '04109, 04229', '04', '80331-81929', 'ab 90000']);
    expect(isTold).to.deep.equal(cells.map(() => true));
    expect(readingsOf(cells)).to.deep.equal([
      ['[1000..1999]', 'number($) in [1000..1999]'],
      ['4109', '"04109"'],
      ['4109, 4229', '"04109", "04229"'],
      ['4', '"04"'],
      ['[80331..81929]', 'number($) in [80331..81929]'],
      ['>= 90000', 'number($) >= 90000'],
    ]);
    const column = columnOf({}, true, cells);
    expect(new Set(cells.map((cell) => readCell(cell, column)?.question))).to.deep.equal(new Set(['code']));
    expect(readCell('04', column)?.hint).to.equal(
      '04 may mean 2 things: write 4, or write "04". Zeros before a number are a text\'s, as in postcodes. Texts have no order: of their order, the number in them is asked.',
    );
  });

  it('have no fault once either is chosen', () => {
    const readings = readingsOf(converted(sheet).cells);
    for (const choice of [0, 1]) {
      const chosen = readings.map((each) => each?.[choice] ?? '');
      const column = columnOf({}, true, chosen);
      for (const cell of chosen)
        expect(
          faultIn(cell, column, () => false),
          cell,
        ).to.equal(undefined);
    }
  });

  it('are found by the text that requests have, in its range, too', () => {
    const { content } = convertedSheet(sheet.join('\n'));
    const node = (content as Model).nodes[1]!.content;
    const id = node.inputs![0]!.id;
    readingsOf(node.rules!.map((rule) => rule[id] ?? '')).forEach((each, row) => (node.rules![row]![id] = each![1]!));
    const program = compile(content, { resolve: () => undefined });
    const priceOf = (PLZ: string, Gewicht: number): unknown =>
      (program.run({ PLZ, Gewicht }, frozen) as { result?: { Preis?: unknown } }).result?.Preis;
    expect([priceOf('01500', 5), priceOf('04109', 5), priceOf('04229', 30), priceOf('80400', 5)]).to.deep.equal([
      1, 2, 3, 5,
    ]);
  });

  it('may be texts that have quotes, and are repaired with no others', () => {
    const fault = readCell('"04109"', columnOf({}, true, ['"04109"', '[1..5]', '> 100', '7']));
    expect([fault?.form, fault?.readings]).to.deep.equal(['code', ['4109']]);
    expect(fault?.hint).to.equal(
      '"04109" may be a number or a text. Write 4109 where requests have numbers; where they have texts, as for postcodes, set the column\'s kind to any.',
    );
  });

  it('are asked in a column of codes where they are the ends of a range', () => {
    const cells = ['04109', '04229', '10115', '80331', '01000-01999'];
    const made = converted(['PLZ,Gewicht,Preis', ...cells.map((cell, at) => `${cell},5,${at}`)]).cells;
    expect(made).to.deep.equal(['"04109"', '"04229"', '"10115"', '"80331"', '01000-01999']);
    expect(readingsOf(made).at(-1)).to.deep.equal(['number($) in [1000..1999]', '"01000-01999"']);
  });

  it('are decimals, days and times where these are written', () => {
    for (const cells of [
      ['0.5', '0,25', '1.5'],
      ['10 001 – 50 000', '50\u2009001 - 250\u00A0000', '> 1 000 001'],
      ['01.02.2026', '2026-01-31', '5', '6', '7', '8', '9', '10'],
      ['"08:00"', '06.00'],
    ])
      expect(columnOf({}, true, cells).hasCodes, cells.join()).to.equal(false);
  });
});
