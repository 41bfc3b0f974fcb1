import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';

const readings = (cell: string, others: readonly string[], isTest = true): readonly string[] | undefined =>
  readCell(cell, columnOf({}, isTest, [...others, cell]))?.readings;

describe('numbers among times of the day', () => {
  it('are times, as these are written, and leave the column one of times', () => {
    const cells = ['"08:00"', '06.00', '8-16'];
    const column = columnOf({}, true, cells);
    expect(column.kind).to.equal('time');
    expect(cells.map((cell) => readCell(cell, column)?.readings)).to.deep.equal([
      undefined,
      ['"06:00"'],
      ['time($) >= time("08:00") and time($) <= time("16:00")'],
    ]);
    const times = ['"03:33"', '"03:34"', '"03:35"'];
    for (const [cell, first, last] of [
      ['9.00-17.00', '09:00', '17:00'],
      ['8–16.30', '08:00', '16:30'],
      ['[9..17]', '09:00', '17:00'],
    ])
      expect(readings(cell!, times), cell).to.deep.equal([
        `time($) >= time("${first}") and time($) <= time("${last}")`,
      ]);
    expect(readings('18.30', ['"08:00:00"', '"09:15:00"'])).to.deep.equal(['"18:30:00"']);
    expect(readings('18.30', ['"08:00"', '"09:15:00"'])).to.deep.equal(['"18:30"']);
    expect(readings('6.00', ['"08:00"', '"09:15"'], false)).to.deep.equal(['"06:00"']);
  });

  it('are nothing that anybody can say where they are whole, or no hours', () => {
    for (const cell of ['5', '16.3', '25.00', '8.75-9'])
      expect(readings(cell, ['"08:00"', '"09:15"', '"10:00"', '"11:00"']), cell).to.deep.equal([]);
  });

  it('are numbers where most of the column are', () => {
    const cells = ['1-5', '6-10', '11-20', '18:00'];
    expect(columnOf({}, true, cells).kind).to.equal('number');
  });
});

describe('times over midnight', () => {
  const night = 'time($) >= time("22:00") or time($) <= time("06:00")';

  it('are those after the first one, or before the last one', () => {
    const times = ['"03:33"', '"03:34"', '"03:35"'];
    for (const cell of ['22:00-06:00', '22:00 – 6:00', '22-6', '10 pm to 6 am', 'de 22h à 6h', '[22:00..06:00]'])
      expect(readings(cell, times), cell).to.deep.equal([night]);
    expect(readings('22:00 bis vor 6:00', times)).to.deep.equal([night.replace('<=', '<')]);
  });

  it('make hours of the numbers beside them', () => {
    const cells = ['22h-6h', '6h-9h', '9h-12h', 'de 12h à 22h'];
    const column = columnOf({}, true, cells);
    expect(column.kind).to.equal('time');
    expect(cells.map((cell) => readCell(cell, column)?.readings)).to.deep.equal([
      [night],
      ['time($) >= time("06:00") and time($) <= time("09:00")'],
      ['time($) >= time("09:00") and time($) <= time("12:00")'],
      ['time($) >= time("12:00") and time($) <= time("22:00")'],
    ]);
    expect(columnOf({}, true, ['2h-4h', '4h-8h', '24h']).kind).to.equal('number');
  });

  it('have no fault once they are repaired', () => {
    expect(readCell(night, columnOf({}, true, ['"03:33"', '"03:34"', night]))).to.equal(undefined);
  });
});
