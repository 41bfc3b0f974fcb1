import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';

const ages = ['0-5', '6-12', '13-17', '18-29', '30-59', '60-64', '65-79', '80+'];
/** Rows of an age, a plan that repeats, and more. */
const sheet = (head: string, more: (at: number) => string): string =>
  [head, ...ages.map((age, at) => `${age},${at % 2 === 0 ? 'A' : 'B'},${more(at)}`)].join('\n');
const sidesOf = (csv: string): unknown => {
  const { inputs, outputs } = convertedSheet(csv);
  return [inputs.join(), outputs.join()];
};
const told = (csv: string): readonly string[] =>
  convertedSheet(csv).diagnostics.flatMap(({ repair, message }) =>
    repair?.startsWith('outputs=') === true ? [message] : [],
  );

describe('which columns are results is guessed', () => {
  for (const title of [
    'Monthly fee',
    'Cuota',
    'Tipo',
    'Lisä €/kk',
    'Allowance',
    'Points',
    'Next dose',
    'kr/år inkl. moms',
  ])
    it(`by cells that differ in most rows, behind all that is asked: ${title}`, () =>
      expect(sidesOf(sheet(`Age,Plan,${title},Second`, (at) => `${100 + at},${7 + at}`))).to.deep.equal([
        'Age,Plan',
        `${title},Second`,
      ]));

  it('by amounts of money, by shares, and by texts that differ in most rows', () => {
    expect(sidesOf(sheet('Age,Plan,Own part,Second', () => '€ 250,7'))).to.deep.equal(['Age,Plan', 'Own part,Second']);
    expect(sidesOf(sheet('Age,Plan,Refund share,Fee', (at) => `${at % 2 === 0 ? 50 : 25} %,7`))).to.deep.equal([
      ...['Age,Plan', 'Refund share,Fee'],
    ]);
    expect(sidesOf(sheet('Age,Plan,Article,Second', (at) => `Item ${at},7`))).to.deep.equal([
      ...['Age,Plan', 'Article,Second'],
    ]);
  });

  it('by amounts among which some are none', () => {
    const none = (at: number): string => (at > 5 ? 'n/a' : `${at + 2} %`);
    expect(sidesOf(sheet('Age,Plan,Handling fee,Duty %,Limit', (at) => `$${at}.50,${none(at)},none`))).to.deep.equal([
      ...['Age,Plan', 'Handling fee,Duty %,Limit'],
    ]);
  });

  for (const [what, csv, inputs, outputs] of [
    [
      'a price in front',
      `Price,Age,Day\n${ages.map((age, at) => `${at + 5},${age},${at % 2 === 0 ? 'any' : 'Sat'}`).join('\n')}`,
      'Age,Day',
      'Price',
    ],
    [
      'days from which a row counts',
      sheet('Age,Plan,Fee per hour,Valid from', (at) => `${at}.5,03/04/202${at}`),
      'Age,Plan,Valid from',
      'Fee per hour',
    ],
    [
      'what is needed to tell rows apart',
      `Category,Article,Price\n${ages.map((_age, at) => `${at < 4 ? 'Food' : 'Toys'},A${at},${at}.5`).join('\n')}`,
      'Category,Article',
      'Price',
    ],
    [
      'numbers that repeat',
      sheet('Age,Plan,Term,Rate', (at) => `${at % 2 === 0 ? 12 : 24},${at}.5`),
      'Age,Plan,Term',
      'Rate',
    ],
    [
      'both ends of a range',
      sheet('Age,Plan,Sum from,Sum to,Rate', (at) => `${at},${at + 1},${at}.5`),
      'Age,Plan,Sum from,Sum to',
      'Rate',
    ],
    [
      'a price for each of something, and what repeats behind it',
      sheet('Age,Plan,Energy price €/MWh,Term', (at) => `${at}.5,${at % 2 === 0 ? 12 : 24}`),
      'Age,Plan',
      'Energy price €/MWh,Term',
    ],
    [
      'what a row for all that is left gives',
      `${sheet('Age,Plan,Class,Reviewed', (at) => `${at % 2 === 0 ? 'C' : 'D'},2026-0${(at % 2) + 1}-01`)}\notherwise,,C,2026-01-01`,
      'Age,Plan',
      'Class,Reviewed',
    ],
    [
      'a tariff that is asked, before numbers',
      `Region,Tariff,Age,Rate\n${ages.map((_age, at) => `${at < 4 ? 'N' : 'S'},${at % 2 === 0 ? 'A' : 'B'},${18 + (at % 4)},${at}.5`).join('\n')}`,
      'Region,Tariff,Age',
      'Rate',
    ],
    [
      'days from which a row counts, behind a fee and what nobody asks',
      sheet(
        'Age,Plan,Account fee,Overdraft,Valid as of',
        (at) => `${at}.5,${at % 2 === 0 ? 500 : 900},2026-0${at + 1}-01`,
      ),
      'Age,Plan,Valid as of',
      'Account fee,Overdraft',
    ],
    ['few rows', 'Region,Alter,Kosten\nNord,18,500\nSüd,30,400', 'Region,Alter', 'Kosten'],
    [
      'nothing that is asked for certain',
      'City,Zip,Zone\nOslo,150,1\nBergen,5003,2\nBodo,8001,3\nTromso,9008,4',
      'City,Zip',
      'Zone',
    ],
    [
      'ranges in the last column',
      sheet('Age,Plan,Fee,Days', (at) => `${at}.5,${at}-${at + 2}`),
      'Age,Plan',
      'Fee,Days',
    ],
  ] as const)
    it(`with ${what}`, () => expect(sidesOf(csv)).to.deep.equal([inputs, outputs]));

  it('and told where the names do not tell it, above all else', () => {
    const csv = sheet('Age,Plan,Cupo,Tipo,Second', (at) => `${100 + at},0.${at},${7 + at}`);
    const { diagnostics } = convertedSheet(csv);
    expect(diagnostics[0]).to.deep.equal({
      ...{ code: 'model_invalid', severity: 'warning', label: 'Rules!C1', pointer: '' },
      repair: 'outputs=Cupo,Tipo,Second',
      message: 'Rules!C1: `Cupo` and `Tipo` are results by what stands there, as the names do not tell it.',
      hint: 'The parameters `inputs` and `outputs` (`--inputs`, `--outputs`) say which columns are what.',
    });
    expect(
      convertedSheet(csv, null, ['Second']).diagnostics.filter(({ repair }) => repair !== undefined),
    ).to.deep.equal([]);
    expect(told(sheet('Age,Plan,Fee,Days', (at) => `${at}.5,${at}-${at + 2}`))).to.have.length(1);
  });

  it('and not where they do, or the last column is the one', () => {
    expect(told(sheet('Age,Plan,Fee,Premium', (at) => `${at},${at}`))).to.deep.equal([]);
    expect(told(sheet('Age,Plan,Segment', (at) => `S${at % 3}`))).to.deep.equal([]);
  });
});
