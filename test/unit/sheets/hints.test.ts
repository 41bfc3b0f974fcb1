import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';

const hintsIn = (...rows: readonly string[]): unknown =>
  convertedSheet(rows.join('\n')).diagnostics.flatMap(({ severity, label, pointer, message }) =>
    pointer?.endsWith('/rules/0') === true ? [{ severity, label, pointer, message }] : [],
  );
const told = (row: number, words: string): unknown => [
  {
    severity: 'warning',
    label: `Rules!A${row}`,
    pointer: '/nodes/1/content/rules/0',
    message: `Rules!A${row}: row ${row} has words where numbers or days stand below, as units and hints are: ${words}.`,
  },
];

describe('a row below the names of a sheet', () => {
  it('is told where it says what the cells below it are', () => {
    expect(
      hintsIn(
        'Filiale;Betrag;Score;Jahr;Alter;Zins;Gebühr',
        'Code;in EUR;Punkte;vierstellig;;p. a.;einmalig',
        '"01";bis 10.000 €;500-600;2024;18+;5,99 %;1.250,00 €',
        'sonst;über 10.000 €;> 600;2025;alle;4,5 %;0',
        '"02";<= 500;700;2026;under 18;3 %;10',
      ),
    ).to.deep.equal(told(2, '`in EUR`, `Punkte`, `vierstellig`, `p. a.`, `einmalig`'));
    expect(hintsIn('age,since,fee', '', 'years,day,€', '> 5,2026-01-01,10', '18-24,2026-02-01,20')).to.deep.equal(
      told(3, '`years`, `day`, `€`'),
    );
  });

  for (const [why, ...rows] of [
    ['has a number', 'code,age,fee', 'A,any,5', 'B,> 5,7', 'C,7,9'],
    ['has one word alone, which may be a result', 'age,fee', ',free', '> 5,7', '7,9'],
    ['takes everything', 'age,amount,fee', 'any,alle,otherwise', '> 5,7,1', '7,9,2'],
    ['has the names of fields', 'age,amount,fee', '> 5,amount,amount', '7,9,2', '8,9,3'],
    ['has names of fields alone', 'age,amount,fee', 'amount,age,amount', '7,9,2', '8,9,3'],
    ['has expressions', 'age,amount,fee', ',base.rate,max(a)', '7,9,2', '8,9,3'],
    ['has the id of one', 'age,amount,fee,_id', 'x,y,z,a', '7,9,2,b', '8,9,3,c'],
    ['has truths', 'age,amount,fee', 'true,TRUE,false', '7,9,2', '8,9,3'],
    ['is of words as those below', 'type,country,fee', 'Car,FI,low', 'Boat,SE,high', 'Bus,DE,low'],
    ['is the only one', 'age,since,fee', 'years,day,€'],
  ] as const)
    it(`is a rule where it ${why}`, () => expect(hintsIn(...rows)).to.deep.equal([]));
});
