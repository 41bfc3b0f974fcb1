import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';

const readingsOf = (cells: readonly string[], isTest = true): (readonly string[] | undefined)[] => {
  const column = columnOf({}, isTest, cells);
  return cells.map((cell) => readCell(cell, column)?.readings);
};
/** Of the first one of them. */
const first = (...cells: readonly string[]): readonly string[] | undefined => readingsOf(cells)[0];

const texts = (words: string): string =>
  words
    .split(' ')
    .map((word) => `"${word}"`)
    .join(', ');

describe('a range in an order that everybody knows', () => {
  it('is each of its words, or that word, which is asked', () => {
    expect(first('Mon-Fri', 'Sat', 'Sun')).to.deep.equal([texts('Mon Tue Wed Thu Fri'), '"Mon-Fri"']);
    expect(first('Jan – Mar', 'Apr', 'May')).to.deep.equal([texts('Jan Feb Mar'), '"Jan – Mar"']);
    expect(first('H to K', 'A', 'B')).to.deep.equal([texts('H I J K'), '"H to K"']);
  });

  it('is spelled as its neighbours are', () => {
    expect(first('Mon-Wed', '"Saturday"', '"Sunday"')?.[0]).to.equal(texts('Monday Tuesday Wednesday'));
    expect(first('Monday-Wednesday', 'Sat', 'Sun')?.[0]).to.equal(texts('Mon Tue Wed'));
    expect(first('ma-ke', 'lauantai', 'sunnuntai')?.[0]).to.equal(texts('maanantai tiistai keskiviikko'));
    expect(first('Apr-Jun', 'Maj', 'Okt', 'Mar')?.[0]).to.equal(texts('Apr Maj Jun'));
  });

  it('goes round in a week and in a year', () => {
    expect(first('Fri-Mon', 'Tue')?.[0]).to.equal(texts('Fri Sat Sun Mon'));
    expect(first('Nov-Feb', 'Aug', 'May')?.[0]).to.equal(texts('Nov Dec Jan Feb'));
    expect(first('C-A', 'B')).to.deep.equal(['"C-A"']);
  });

  for (const [cell, words] of [
    ['lundi-mercredi', 'lundi mardi mercredi'],
    ['du lundi au mercredi', 'lundi mardi mercredi'],
    ['Mo–Mi', 'Mo Di Mi'],
    ['Mo. – Mi.', 'Mo Di Mi'],
    ['Montag bis Mittwoch', 'Montag Dienstag Mittwoch'],
    ['ma–pe', 'ma ti ke to pe'],
    ['mån-ons', 'mån tis ons'],
    ['mandag til onsdag', 'mandag tirsdag onsdag'],
    ['lunedì - mercoledì', 'lunedì martedì mercoledì'],
    ['de lunes a miércoles', 'lunes martes miércoles'],
    ['segunda a quarta', 'segunda terça quarta'],
    ['pon–śr', 'pon wt śr'],
    ['ma t/m wo', 'ma di wo'],
    ['maandag tot en met woensdag', 'maandag dinsdag woensdag'],
    ['Mon thru Wed', 'Mon Tue Wed'],
    ['tammi–maalis', 'tammi helmi maalis'],
    ['MON-WED', 'MON TUE WED'],
  ] as const)
    it(`in the languages that the words have: ${cell}`, () => {
      expect(first(cell, 'Other')).to.deep.equal([texts(words), `"${cell}"`]);
    });

  it('stands among others', () => {
    expect(first('Mon-Wed, Sun', 'Thu')).to.deep.equal([texts('Mon Tue Wed Sun'), '"Mon-Wed, Sun"']);
    expect(first('A-C, E', 'D')).to.deep.equal([texts('A B C E'), '"A-C, E"']);
  });

  it('is one of codes that are alike but for their numbers', () => {
    expect(first('AB10–AB13', 'ZE1')).to.deep.equal([texts('AB10 AB11 AB12 AB13'), '"AB10–AB13"']);
    expect(first('A 08 to A 10', 'B 01')?.[0]).to.equal('"A 08", "A 09", "A 10"');
    expect(first('M5..M7, M30', 'M1')?.[0]).to.equal(texts('M5 M6 M7 M30'));
    expect(first('NACE 10–12', 'NACE 01')?.[0]).to.equal('"NACE 10", "NACE 11", "NACE 12"');
    for (const cell of ['A320-200', 'B737-800', 'K1-K1', 'K9-K1', 'A1-B3', 'X1-X9999'])
      expect(first(cell, '"Other"', '"More"'), cell).to.deep.equal([`"${cell}"`]);
  });

  it('is one of marks of which the best has a star, and of years of schools', () => {
    expect(first('A*–C', 'D', 'U')).to.deep.equal(['"A*", "A", "B", "C"', '"A*–C"']);
    expect(first('A* to B, U', 'C')?.[0]).to.equal('"A*", "A", "B", "U"');
    expect(first('2024/25-2026/27', '2027/28')?.[0]).to.equal('"2024/25", "2025/26", "2026/27"');
    expect(first('2027/28', '2026/27')).to.deep.equal(['"2027/28"']);
  });

  it('is one of ratings, with the notches that stand beside it, or in both ways', () => {
    expect(first('AAA–A', 'AA+')?.[0]).to.equal('"AAA", "AA+", "AA", "AA-", "A+", "A"');
    expect(first('AAA–A', '"CCC"', '"BB"')?.slice(0, 1)).to.deep.equal([texts('AAA AA A')]);
    expect(first('AA+ to A', 'B-')?.[0]).to.equal('"AA+", "AA", "AA-", "A+", "A"');
    expect(first('A–C', 'BB')).to.deep.equal([texts('A B C'), '"A–C"']);
  });

  it('is told where it is between words of the column, whose order nobody else knows', () => {
    expect(first('Gold–Platinum', '"Gold"', '"Silver"', '"Platinum"')).to.deep.equal([]);
    expect(first('low to medium', 'low', 'medium', 'high')).to.deep.equal([]);
    for (const name of ['Gold–Platinum', 'Coca-Cola', 'Door to door'])
      expect(first(name, '"Coca"', '"Cola"', '"Gold"'), name).to.deep.equal([`"${name}"`]);
  });

  it('may leave some out, or have a word of its own beside days', () => {
    expect(first('weekdays', 'Mon–Fri', 'Sat')).to.deep.equal([texts('Mon Tue Wed Thu Fri'), '"weekdays"']);
    expect(first('weekend', 'Mon-Sun', 'Monday')?.[0]).to.match(/^"Sat", "Sun"$|^"Saturday", "Sunday"$/);
    expect(first('Mon–Fri except Wed', 'Mon-Sun')?.[0]).to.equal(texts('Mon Tue Thu Fri'));
    expect(first('Mon–Fri except Wednesday', 'Mon-Sun')?.[0]).to.equal(texts('Mon Tue Thu Fri'));
    expect(first('except Sunday', 'Mon-Sun', 'Sat')?.slice(0, 2)).to.deep.equal(['!= "Sun"', '!= "Sunday"']);
    for (const word of ['weekend', 'weekdays', 'Gold except VIP'])
      expect(first(word, '"Gold"', '"Silver"'), word).to.deep.equal([`"${word}"`]);
  });

  it('is asked once a column', () => {
    const column = columnOf({}, true, ['Mon-Wed', 'Thu-Fri', 'Sat']);
    const questions = ['Mon-Wed', 'Thu-Fri'].map((cell) => readCell(cell, column)?.question);
    expect(questions).to.deep.equal(['wordRange', 'wordRange']);
  });
});

describe('a word with a dash', () => {
  it('is a name without a question where it is no such range', () => {
    for (const cell of [
      'E-bike',
      'T-Mobile',
      'Coca-Cola',
      'A-1',
      'Mon-Repos',
      'Mar-a-Lago',
      'May-June Smith',
      'Jan-Erik',
    ])
      expect(first(cell, '"Other"', '"More"'), cell).to.deep.equal([`"${cell}"`]);
  });

  it('is a code among codes', () => {
    expect(readingsOf(['B-C', 'A-1', 'E-7'])).to.deep.equal([['"B-C"'], ['"A-1"'], ['"E-7"']]);
    expect(readingsOf(['B-C', 'Z-A'])).to.deep.equal([['"B-C"'], ['"Z-A"']]);
    expect(readingsOf(['A-C', 'D-F'])[0]).to.have.length(2);
  });

  it('is a text as a result', () => expect(readingsOf(['Mon-Fri', 'Sat'], false)[0]).to.deep.equal(['"Mon-Fri"']));
});
