import { expect } from 'chai';
import { columnOf, readCell, withCommas, withoutCommas } from '../../../workers/cells/index.js';

/** What each cell of a column may mean, of those that are told. */
const asked = (cells: readonly string[], item: object = {}, isTest = true): Record<string, readonly string[]> =>
  Object.fromEntries(
    cells.flatMap((cell) => {
      const fault = readCell(cell, columnOf({ ...item }, isTest, cells));
      return fault === undefined ? [] : [[cell, fault.readings]];
    }),
  );
const ofSemicolons = withCommas({});

describe('a point that may be between thousands', () => {
  it('is asked where zeros behind it are none that decimals need, whatever sign is before the number', () => {
    expect(asked(['<= 1.000', '> 50.000', '[1.000..2.500]', '1.234', '7'])).to.deep.equal({
      '<= 1.000': ['<= 1', '<= 1000'],
      '> 50.000': ['> 50', '> 50000'],
      '[1.000..2.500]': ['[1..2.5]', '[1000..2500]'],
      '1.234': ['1.234', '1234'],
    });
    expect(asked(['1.000', '-2.500', '7'], {}, false)).to.deep.equal({
      '1.000': ['1', '1000'],
      '-2.500': ['-2.5', '-2500'],
    });
  });

  it('is asked in a column of a file with semicolons, until somebody has answered', () => {
    expect(asked(['<= 1.234', '!= 2.345', '7'], ofSemicolons)).to.deep.equal({
      '<= 1.234': ['<= 1.234', '<= 1234'],
      '!= 2.345': ['!= 2.345', '!= 2345'],
    });
    expect(asked(['<= 1.234', '7'], withoutCommas(ofSemicolons))).to.deep.equal({});
  });

  for (const shown of ['12.5', '< 0.75', '0.125', '1234.567', '1.2345', '12.5 %', '12.5-13'])
    it(`is one before decimals beside ${shown}`, () => {
      const cells = ['<= 1.000', '2.345'];
      const all = asked([...cells, shown], ofSemicolons);
      for (const cell of cells) expect(all, cell).to.not.have.property(cell);
    });

  it('is asked where zeros stand behind it beside thousands that are written whole, though others have decimals', () => {
    expect(asked(['<= 10000', '[10000.01..50000]', '15.000'])).to.deep.equal({ '15.000': ['15', '15000'] });
    expect(asked(['[5..1000]', '12.5', '> 2.500'])).to.deep.equal({ '> 2.500': ['> 2.5', '> 2500'] });
    // Without them, or without the zeros, they are decimals.
    expect(asked(['1000.5', '12.5', '2.500'])).to.deep.equal({});
    expect(asked(['10000', '12.5', '2.345'])).to.deep.equal({});
  });

  it('is one before decimals where nothing says otherwise, and numbers without one are never asked', () => {
    expect(asked(['1.234', '1.085', '7'])).to.deep.equal({});
    expect(asked(['1', '<= 1000', '[5..6]', '1000000'], ofSemicolons)).to.deep.equal({});
  });

  it('is asked beside a decimal comma, though another one is before decimals', () => {
    expect(asked(['1.000', '12,5', '7.5']))
      .to.have.property('1.000')
      .deep.equal(['1', '1000']);
  });
});
