import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';
import { convertedSheet } from '../../support/sheets.js';

const kindOf = (cells: readonly string[]): string => columnOf({}, true, cells).kind;

/** What is offered for each cell of a column of conditions that is told. */
const readingsOf = (cells: readonly string[]): (readonly string[] | undefined)[] => {
  const column = columnOf({}, true, cells);
  return cells.map((cell) => readCell(cell, column)?.readings);
};

/** The cells of a file's column of conditions as its model has them. */
function imported(cells: readonly string[]): { cells: readonly (string | undefined)[]; told: number } {
  const field = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const { content, diagnostics } = convertedSheet(
    ['Value,Fee', ...cells.map((cell, at) => `${field(cell)},${at}`)].join('\n'),
  );
  const { inputs, rules } = (
    content as {
      nodes: { content: { inputs: { id: string }[]; rules: Record<string, string>[] } }[];
    }
  ).nodes[1]!.content;
  return { cells: rules.map((rule) => rule[inputs[0]!.id]), told: diagnostics.length };
}

describe('bands in words of a language that nobody wrote down', () => {
  for (const [language, cells] of [
    ['Estonian', ['kuni 100', '101 kuni 200', 'üle 200']],
    ['Czech', ['pod 100', '100 až 200', 'nad 200']],
    ['Hungarian', ['100 alatt', '100-tól 200-ig', '200-tól 300-ig', '300 felett']],
    ['Turkish', ['100’e kadar', '100 ile 200 arası', '200 üzeri']],
    ['Greek', ['έως 1.000', 'από 1.000 έως 2.000', 'πάνω από 2.000']],
    ['Japanese', ['100未満', '100以上200未満', '200以上']],
    ['Russian, as sentences', ['До 17 лет', 'От 18 до 64 лет', 'Старше 64 лет']],
    ['Czech, from one side', ['pod 18', 'nad 18']],
    ['Czech, from one side, with whole numbers', ['nejvýše 17 let', 'nejméně 18 let']],
    ['Lithuanian, which begin alike', ['nuo 18 iki 24', 'nuo 25']],
    ['Estonian, one upon another', ['kuni 100', 'kuni 200', 'üle 200']],
    ['Estonian, with a range of signs', ['kuni 100', '101-200', 'üle 200']],
    ['Estonian, with a word for the rest', ['kuni 100', '101 kuni 200', 'üle 200', 'teadmata']],
  ] as const)
    it(`are told, and no texts: ${language}`, () => {
      expect(kindOf(cells)).to.equal('number');
      const found = imported(cells);
      expect(found.cells).to.deep.equal(cells);
      expect(found.told).to.be.at.least(cells.length);
      const unread = readingsOf(cells).filter(
        (readings, at) => !/^\d+-\d+$/.test(cells[at]!) && readings?.length !== 0,
      );
      expect(unread).to.deep.equal([]);
    });

  it('are never offered as texts alone beside comparisons, however many they are', () => {
    const cells = ['101-200', 'kuni 100', 'kuni 50', 'üle 300', 'umbes 7 tükki'];
    expect(readingsOf(cells).slice(1)).to.deep.equal([[], [], [], []]);
  });
});

describe('names with numbers', () => {
  for (const cells of [
    ['Zone 1', 'Zone 2', 'Zone 3'],
    ['Zone 1-2', 'Zone 3-4', 'Zone 5-6'],
    ['Plan 100 GB', 'Plan 200 GB', 'Plan 500 GB'],
    ['iPhone 12', 'iPhone 13', 'Galaxy 14'],
    ['Windows 10', 'Windows 11', 'Android 12'],
    ['Basic 100', 'Plus 100', 'Basic 200', 'Plus 200'],
    ['Route 66', 'Route 67', 'Highway 1'],
    ['COVID-19', 'Influenza', 'HPV'],
    ['A-1', 'B-2', 'C-3'],
    ['1st class', '2nd class'],
    ['Class 1 to 3', 'Class 4'],
    ['seat 1', 'table 2'],
    ['winter 2025', 'summer 2026'],
    ['room 101', 'room 102', 'suite 103'],
    ['S', 'M', '3XL'],
    ['Jan 2026 offer', 'Feb 2026 offer'],
    ['Gold', 'Visa 1', 'Amex 2'],
    ['B2B', 'B2C', 'C2C'],
    ['A4', 'A5', 'Letter'],
    ['Euro 5', 'Euro 6', 'Electric'],
    ['Class 1', 'Class 2', 'unrated'],
    ['Tier 1 to 3', 'Tier 4 to 6'],
  ])
    it(`are texts without a question: ${cells.join(', ')}`, () => {
      const found = imported(cells);
      expect(found).to.deep.equal({ cells: cells.map((cell) => `"${cell}"`), told: 0 });
    });
});

describe('a phrase that compares, among texts', () => {
  for (const cell of ['Under 18', 'over 65', 'fino a 100', '65+ years', 'mere end 5', 't/m 100', 'from 01.05.2026'])
    it(`is told, and is a text once somebody has said so: ${cell}`, () => {
      const cells = ['"Student"', '"Retired"', '"Employed"', '"Unemployed"', cell];
      expect(kindOf(cells)).to.equal('text');
      expect(readCell(cell, columnOf({}, true, cells))?.readings).to.deep.equal([]);
      expect(readCell(cell, columnOf({ _kind: 'text' }, true, cells))?.readings).to.include(`"${cell}"`);
    });
});

describe('a word among numbers of results', () => {
  for (const cell of ['auf Anfrage', 'n.v.t.', 'su richiesta'])
    it(`may be a text, which is told and not written in silence: ${cell}`, () => {
      const cells = ['1.5', '2.5', '3.5', '4.5', '5.5', cell];
      const column = columnOf({}, false, cells);
      expect([column.kind, readCell(cell, column)?.readings]).to.deep.equal(['number', [`"${cell}"`]]);
      const rows = cells.map((each, at) => `${at},${each}`);
      const { diagnostics } = convertedSheet(`Weight,Fee\n${rows.join('\n')}\n`);
      expect(diagnostics.map(({ label }) => label?.split(',')[0])).to.deep.equal(['Rules!B7']);
    });
});

describe('shares in a column whose heading says percent', () => {
  const asked = (name: string, cell: string, isTest = true): readonly string[] | undefined =>
    readCell(cell, columnOf({ name }, isTest, ['> 20', cell, '30']))?.readings;

  for (const name of ['Occupancy %', 'Työaika-%', 'Rate in percent', 'Anteil in Prozent', 'Udział procent'])
    it(`are of one or of a hundred, which is asked: ${name}`, () => {
      expect(asked(name, '> 50 %')).to.deep.equal(['> 0.5', '> 50']);
      expect(asked(name, '50-80 %')).to.deep.equal(['[0.5..0.8]', '[50..80]']);
      expect(asked(name, '7,5 %')).to.deep.equal(['0.075', '7.5']);
      expect(asked(name, '5%', false)).to.deep.equal(['0.05', '5']);
      const column = columnOf({ name }, true, ['> 50 %', 'up to 20%', '7,5 %']);
      const questions = ['> 50 %', 'up to 20%', '7,5 %'].map((cell) => readCell(cell, column)?.question);
      expect(new Set(questions)).to.deep.equal(new Set(['percent']));
    });

  it('are of one under any other heading', () => {
    expect(asked('Occupancy', '> 50 %')).to.deep.equal(['> 0.5']);
    expect(asked('Occupancy %', '> 50')).to.equal(undefined);
  });
});
