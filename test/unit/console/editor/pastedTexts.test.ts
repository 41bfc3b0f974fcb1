import { expect } from 'chai';
import { pastedAsTyped } from '../../../../src/console/editor/pastedTexts.js';
import { allowedMs } from '../../../support/environment.js';
import { cellText, sheetOf, withCells, type Sheet } from '../../../../src/console/editor/sheet.js';

const inputs = ['area', 'species', 'age', 'count', 'valid'];
const outputs = ['fee', 'share'];
const names = [...inputs, ...outputs];

/** A table with these rows. */
function tableOf(rows: readonly (readonly string[])[]): Sheet {
  const column = (name: string) => ({ id: name, name, field: name });
  const rules = rows.map((cells, at) => ({
    _id: String(at),
    ...Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
  }));
  const content = { inputs: inputs.map(column), outputs: outputs.map(column), rules };
  return sheetOf({ type: 'decisionTableNode', content })!;
}

/** What a table has below its own rows once others are pasted there, and what is said. */
function pasted(sheet: Sheet, rows: readonly (readonly string[])[], left = 0, top = sheet.rows.length) {
  const cells = rows.flatMap((texts, down) => texts.map((text, at) => ({ row: top + down, column: left + at, text })));
  const next = sheetOf({ type: 'decisionTableNode', content: withCells(sheet, cells) })!;
  const { content, told } = pastedAsTyped(sheet, next, {
    isName: (word) => word === 'size',
    spaced: new Map(),
  });
  const after = sheetOf({ type: 'decisionTableNode', content })!;
  const found = after.rows
    .slice(top)
    .map((row) => after.columns.slice(left, left + (rows[0]?.length ?? 0)).map((column) => cellText(row, column)));
  return { rows: found, told, content };
}

const own = tableOf([
  ['"Histology"', '"cat"', '[1..4]', '> 2', 'd("2026-01-01") in [d("2026-01-01")..d("2026-12-31")]', '12.5', '0.1'],
  ['"Serology"', '"horse"', '[5..10]', '[1..2]', '["2026-01-01".."2026-12-31"]', '40', '0.05'],
  ['"Cytology"', '"cat"', '[11..20]', '> 5', '["2025-01-01".."2025-12-31"]', '8.75', '0.2'],
]);

describe('cells that are pasted into a table that is there', () => {
  it('are taken as typing takes each of them, which is said once', () => {
    const { rows, told } = pasted(own, [['Cytology', 'dog', '5-10', '1-5', '01.01.2027-31.12.2027', '45,50 €', '5%']]);
    expect(rows).to.deep.equal([
      ['"Cytology"', '"dog"', '[5..10]', '[1..5]', '>= d("2027-01-01") and <= d("2027-12-31")', '45.5', '0.05'],
    ]);
    expect(told).to.equal('Taken as they are meant: 7 cells.');
  });

  it('are said as one that is typed, where it is one alone', () => {
    expect(pasted(own, [['dog']], 1).told).to.equal('Taken as the text "dog". Undo, if it names a field.');
    expect(pasted(own, [['"dog"']], 1).told).to.equal('');
  });

  it('stay where they may be a field, or several things, and where they are plain', () => {
    const { rows, told } = pasted(own, [['size', '"dog"', '5', '1,250', '03/04/2027', '7', '']]);
    expect(rows).to.deep.equal([['size', '"dog"', '5', '1,250', '03/04/2027', '7', '']]);
    expect(told).to.equal('');
    const bare = tableOf([['breed', '', '', '', '', '1', '']]);
    expect(pasted(bare, [['area'], ['dog']]).rows).to.deep.equal([['area'], ['dog']]);
  });

  it('are no reason less to ask about those beside them: thousands beside decimal commas, months beside years', () => {
    const { rows, content } = pasted(own, [['45,50'], ['1.250']], 5);
    expect(rows).to.deep.equal([['45.5'], ['1.250']]);
    expect((content['outputs'] as { _commas?: unknown }[])[0]?._commas).to.equal('own');
    expect(pasted(own, [['24 months'], ['2 years']], 2).rows).to.deep.equal([['24 months'], ['2 years']]);
  });

  it('have their unit remembered, so that another one is no number in silence', () => {
    const { rows, content } = pasted(own, [['CHF 45.50'], ['CHF 50']], 5);
    expect(rows).to.deep.equal([['45.5'], ['50']]);
    expect((content['outputs'] as { _unit?: unknown }[])[0]?._unit).to.equal('CHF');
    const after = sheetOf({ type: 'decisionTableNode', content })!;
    expect(pasted(after, [['CHF 60'], ['EUR 60'], ['60']], 5).rows).to.deep.equal([['60'], ['EUR 60'], ['60']]);
  });

  it('leave those that were there as they stand', () => {
    const before = tableOf([['"a"'], ['"b"'], ['"c"'], ['lounge']]);
    const { content } = pasted(tableOf([['"a"'], ['"b"'], ['5-7 days']]), [['"c"']]);
    expect((content['rules'] as { area: string }[]).map(({ area }) => area)).to.deep.equal([
      ...['"a"', '"b"', '5-7 days', '"c"'],
    ]);
    expect(pasted(before, [['dog']], 0, 0).rows[3]).to.deep.equal(['lounge']);
  });

  it('stay as they are where they are too many to be read while somebody waits', () => {
    const many = Array.from({ length: 10_001 }, (_row, at) => [`word${at}`, `kind ${at}`]);
    const { rows, told } = pasted(own, many);
    expect([rows[7], told]).to.deep.equal([['word7', 'kind 7'], '']);
  });

  it('take no longer than they are many', () => {
    const many = Array.from({ length: 2000 }, (_row, at) => [
      ...[`word${at}`, `kind ${at}`, `${at}-${at + 5}`, `≥ ${at}`, '', `${at},25 €`, `${at}%`],
    ]);
    const started = performance.now();
    const { rows } = pasted(own, many);
    expect(rows[7]).to.deep.equal(['"word7"', '"kind 7"', '[7..12]', '>= 7', '', '7.25', '0.07']);
    expect(performance.now() - started).to.be.lessThan(allowedMs(2000));
  });
});
