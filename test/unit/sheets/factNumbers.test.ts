import { expect } from 'chai';
import { readFacts } from '../../../workers/sheets/facts/batch.js';

/** A sheet of one column. */
const sheetOf = (...cells: string[]): Parameters<typeof readFacts>[0] => ({
  name: 'Facts',
  rows: [['v', 'who'], ...cells.map((cell) => [cell, 'x'])],
  notes: [],
});
const faultsOf = (...cells: string[]): readonly string[] => readFacts(sheetOf(...cells)).faults;
/** Of a decision whose schema says what it takes as `v`. */
const faultsWhere = (taken: object, ...cells: string[]): readonly string[] =>
  readFacts(sheetOf(...cells), { input: { type: 'object', properties: { v: taken } } }).faults;

describe('cells of facts below a field that the decision takes as a text', () => {
  const input = { type: 'object', properties: { v: { type: ['string', 'null'] } } };
  const valuesOf = (...cells: string[]): unknown[] => {
    const { items, faults } = readFacts(sheetOf(...cells), { input });
    expect(faults).to.deep.equal([]);
    return items.map((item) => (JSON.parse(item) as { fact: { v: unknown } }).fact.v);
  };

  it('are texts, whatever the other cells are', () => {
    const cells = ['10115', '01067', 'TRUE', '[1]', '1,5', 'Gold', '1e3', 'WAHR', '{}'];
    expect(valuesOf(...cells)).to.deep.equal(cells);
    for (const cell of cells) expect(valuesOf(cell), cell).to.deep.equal([cell]);
  });

  it('may be null, and texts with quotes', () =>
    expect(valuesOf('null', '"7"', '"2026-01-31"', '"null"')).to.deep.equal([null, '7', '2026-01-31', 'null']));
});

describe('numbers of facts in a sheet, as people of other countries write them', () => {
  const among = (
    [
      ['1.234,56', '1234.56'],
      ['12,5', '12.5'],
      ['1 234,56', '1234.56'],
      ['1\u202f234,56', '1234.56'],
      ['1,234.56', '1234.56'],
      ['1,23,456.78', '123456.78'],
      ["1'234.56", '1234.56'],
      ['1’234.56', '1234.56'],
      ['1,000', '1000 or 1'],
      ['10%', '0.1'],
      ['€ 500', '500'],
      ['500 €', '500'],
      ['$1,000.00', '1000'],
      ['₹1,00,000', '100000'],
      ['(500)', '-500'],
      ['−5', '-5'],
      ['5 kg', '5'],
      ['1.234,56-', '-1234.56'],
      ['50 -', '-50'],
      ['1,5E+03', '1500'],
    ] as const
  ).map(([written, meant]) => ({ written, meant }));
  for (const { written, meant } of among)
    it(`${written} among numbers is told, and not taken for a text`, () => {
      const [fault, ...others] = faultsOf('999', written, '7.5');
      expect(others).to.deep.equal([]);
      expect(fault).to.include('Facts!A3').and.to.include(JSON.stringify(written)).and.to.include(`Write ${meant}`);
    });

  it('a thousand with a point beside a decimal comma is asked for, and not taken for one', () => {
    expect(faultsOf('1.000', '12,5', '7')).to.deep.equal([
      'Facts!A2: "1.000" may be a thousand, beside decimal commas. Write 1 or 1000; a text has quotes in its cell. So is 1 more cell of the column.',
    ]);
  });

  it('are told once a column, with how many there are', () => {
    const [fault, ...others] = faultsOf('5', '1,5', '2,5', '3,5');
    expect(others).to.deep.equal([]);
    expect(fault).to.match(/^Facts!A3: .* So are 2 more cells of the column\.$/);
  });

  it('are left alone in columns of texts, of codes, and where they are texts within quotes', () => {
    for (const cells of [
      ['12,5', '1.234,56', 'n/a'],
      ['007', '12,5', '10115'],
      ['5', '"12,5"', 'n/a', '31.01.2026', '1.2.3', 'unknown'],
      ['1.000', '2.500', '7'],
      ['5', '1e3', '[1,5]', 'true'],
    ])
      expect(faultsOf(...cells), cells.join(' ')).to.deep.equal([]);
  });
});

describe('yes and no of facts in a sheet, as spreadsheets of other languages write them', () => {
  for (const [written, meant] of [
    ['WAHR', 'true'],
    ['falsch', 'false'],
    ['TOSI', 'true'],
    ['ja', 'true'],
    ['No', 'false'],
  ] as const)
    it(`${written} among booleans is told, and not taken for a text`, () => {
      expect(faultsOf('TRUE', written, 'false', written)).to.deep.equal([
        `Facts!A3: ${JSON.stringify(written)} is a text beside booleans. Write ${meant}; a text has quotes in its cell. So is 1 more cell of the column.`,
      ]);
    });

  it('are left alone in columns of texts, and where they are texts within quotes', () => {
    for (const cells of [
      ['true', '"WAHR"', 'n/a'],
      ['ja', 'maybe', '5'],
      ['ja', 'nein'],
      ['WAHR', 'vielleicht'],
      ['sand', 'sand'],
      ['Faux'],
    ])
      expect(faultsOf(...cells), cells.join(' ')).to.deep.equal([]);
    expect(faultsWhere({ type: 'string' }, 'WAHR', 'FALSCH')).to.deep.equal([]);
  });

  for (const cells of [
    ['WAHR', 'FALSCH'],
    ['VRAI', 'FAUX', 'VRAI'],
    ['VERDADERO', '', 'FALSO'],
  ])
    it(`a column of nothing but ${cells.join(' ')} is asked, as a program writes them for booleans`, () => {
      expect(faultsOf(...cells)).to.have.lengthOf(1);
      expect(faultsOf(...cells)[0]).to.match(
        /^Facts!A2: "\w+" may be a boolean\. Write true; a text has quotes in its cell\./,
      );
    });
});

describe('cells of facts in a sheet, where it is known what the decision takes', () => {
  for (const [taken, written, meant] of [
    [{ type: 'number' }, '1,5', '1.5'],
    [{ type: 'number' }, '10,000', '10000 or 10'],
    [{ type: ['number', 'null'] }, '5%', '0.05'],
    [{ type: 'integer' }, '$1,000', '1000 or 1'],
    [{ type: 'number' }, '007', '7'],
    [{ type: 'number' }, '1e3', '1000'],
    [{ type: ['number', 'null'] }, '5E10', '50000000000'],
    [{ type: 'boolean' }, 'WAHR', 'true'],
    [{ type: ['boolean', 'null'] }, 'nein', 'false'],
    [{ type: 'string', format: 'date' }, '31.01.2026', '2026-01-31'],
    [{ type: 'string', format: 'date' }, '1/2/2026', '2026-01-02 or 2026-02-01'],
  ] as const)
    it(`${written} is told in a column of nothing else, where the decision takes ${JSON.stringify(taken)}`, () => {
      const [fault, ...others] = faultsWhere(taken, written, written);
      expect(others).to.deep.equal([]);
      expect(fault)
        .to.include(`Facts!A2: ${JSON.stringify(written)} is`)
        .and.to.include(`Write ${meant};`);
    });

  it('are left alone where they are what it takes, or nothing that can be read as it', () => {
    expect(faultsWhere({ type: 'number' }, '1.5', 'n/a', 'unknown', '1000')).to.deep.equal([]);
    expect(faultsWhere({ type: 'boolean' }, 'TRUE', 'false', 'maybe')).to.deep.equal([]);
    expect(faultsWhere({ type: 'string', format: 'date' }, '2026-01-31', '"2026-01-31"', 'soon')).to.deep.equal([]);
    expect(faultsWhere({ type: 'string' }, '1,5', '31.01.2026', '5%')).to.deep.equal([]);
    expect(faultsWhere({ type: ['number', 'string'] }, '1,5', 'WAHR')).to.deep.equal([]);
  });

  it('are told where the model itself says that it takes a number, and nobody sees one', () => {
    const told = (...cells: string[]): readonly string[] =>
      readFacts(sheetOf(...cells), { input: { properties: { v: { type: ['number', 'null'] } } }, isDeclared: true })
        .faults;
    for (const cell of ['abc', 'n/a', '31.01.2026', '1.2.3', 'yes'])
      expect(told('5', cell), cell).to.deep.equal([
        `Facts!A3: ${JSON.stringify(cell)} is a text beside numbers. Write a number, or nothing; a text has quotes in its cell.`,
      ]);
    expect(told('abc', '1,5')[0])
      .to.include('"abc" is a text where the decision takes a number.')
      .and.to.include('1 more');
    expect(told('007', '10115')[0]).to.include('Write 7;');
    expect(told('5', '', 'null', '"abc"', '1e+3', '-0.5')).to.deep.equal([]);
  });

  it('are read by paths into objects and lists', () => {
    const input = {
      properties: {
        a: { properties: { b: { type: 'number' } } },
        items: { items: { properties: { c: { type: 'boolean' } } } },
      },
    };
    const rows = [
      ['a.b', 'items[0].c', 'items[1].d'],
      ['1,5', 'ja', '1,5'],
    ];
    const { faults } = readFacts({ name: 'Facts', rows, notes: [] }, { input });
    expect(faults.map((fault) => fault.slice(0, 8))).to.deep.equal(['Facts!A2', 'Facts!B2']);
  });
});
