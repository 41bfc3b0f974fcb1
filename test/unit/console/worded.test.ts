import { expect } from 'chai';
import { givenBeside, inFractions, inTime, worded, wordedStep } from '../../../src/console/analysis/worded.js';

describe('what is proved of a table is told in the words of its columns', () => {
  const content = {
    inputs: [
      { id: 'a', name: 'Credit score', field: 'creditScore' },
      { id: 'b', name: 'Age', field: 'customer.age' },
      { id: 'c', name: '', field: 'months' },
    ],
  };

  it('fields are called by them, and texts stay what they are', () => {
    const message = "No row takes creditScore < 300 or customer.age in (1..2) and kind = 'creditScore' and months > 3";
    expect(worded(message, content)).to.equal(
      'No row takes Credit score < 300 or Age is over 1 to under 2 and kind is "creditScore" and months > 3',
    );
    const odd = {
      inputs: [
        { name: 'Loan type', field: '$root["Loan type"]' },
        { name: 'Risk', field: 'a["b c"].d' },
      ],
    };
    expect(worded(`$root["Loan type"] != 'x' and a["b c"].d < 3 and a < 2`, odd)).to.equal(
      'Loan type is not "x" and Risk < 3 and a < 2',
    );
    expect(worded('creditScores are other things', content)).to.equal('creditScores are other things');
    expect(worded('creditScore', null)).to.equal('creditScore');
  });

  it('conditions are said in words, with the quotes that cells have', () => {
    for (const [told, said] of [
      ["months not in ['Personal', 'Car']", 'months is none of "Personal", "Car"'],
      ["months in ['A', 'B and creditScore = 3']", 'months is one of "A", "B and creditScore = 3"'],
      [`creditScore = "it's"`, `Credit score is "it's"`],
      ['creditScore in [18..24]', 'Credit score is from 18 to 24'],
      ['creditScore in (850..900)', 'Credit score is over 850 to under 900'],
      ['creditScore in [-1.5..900)', 'Credit score is from -1.5 to under 900'],
      ['creditScore in (850..900]', 'Credit score is over 850 up to 900'],
      ["months >= d('2025-01-01')", 'months >= 2025-01-01'],
      ['time(creditScore) >= time("22:00")', 'Credit score >= 22:00'],
      ['time(months) in [time("06:00")..time("22:00"))', 'months is from 06:00 to under 22:00'],
      ["months in [d('2025-01-01')..d('2026-01-01')]", 'months is from 2025-01-01 to 2026-01-01'],
      ['months != 5 and creditScore = 7', 'months is not 5 and Credit score is 7'],
      ['months is any number', 'months is any number'],
    ] as const)
      expect(worded(`No row takes ${told}`, content), told).to.equal(`No row takes ${said}`);
  });
});

describe('what thousands of rows leave', () => {
  it('is told by the first of it, and how much more there is, with what is said beside it', () => {
    const parts = Array.from({ length: 1996 }, (_, at) => `code in (${10_001 + at}..${10_002 + at})`);
    const told = worded(`No row takes (${parts.join(' or ')}) and region = 'N'`, {
      inputs: [{ name: 'Post code', field: 'code' }],
    });
    expect(told).to.equal(
      'No row takes (Post code is over 10001 to under 10002 or Post code is over 10002 to under 10003 or Post code is ' +
        'over 10003 to under 10004 or Post code is over 10004 to under 10005 or Post code is over 10005 to under 10006 ' +
        'or Post code is over 10006 to under 10007 … and 1,990 more) and region is "N"',
    );
    const texts = Array.from({ length: 40 }, (_, at) => `'a or ${at}'`);
    expect(worded(`No row takes code not in [${texts.join(', ')}]`, null)).to.equal(
      'No row takes code is none of "a or 0", "a or 1", "a or 2", "a or 3", "a or 4", "a or 5" … and 34 more',
    );
    const dates = Array.from({ length: 300 }, (_, at) => `Since = date("2024-01-${at}")`);
    expect(worded(`No rule takes (${dates.join(' or ')})`, null).length).to.be.below(1100);
  });

  it('is told whole where there is little of it', () => {
    const few = 'No row takes (code < 1 or code in (1..2) or code > 5) and region in [1, 2, 3]';
    expect(worded(few, null)).to.equal(
      'No row takes (code < 1 or code is over 1 to under 2 or code > 5) and region is one of 1, 2, 3',
    );
  });
});

describe('what may be of any kind but some texts', () => {
  const kinds = [
    'is any number',
    'is any date',
    '= null',
    '= false',
    '= true',
    'is a list',
    'is an object',
    'is no valid date',
  ];
  const any = (field: string, condition: string, left: readonly string[] = kinds): string =>
    `(${[...left.slice(0, 2), condition, ...left.slice(2)].map((each) => `${field} ${each}`).join(' or ')})`;
  const content = {
    inputs: [
      { name: 'Product', field: 'product' },
      { name: 'Loan type', field: '$root["Loan type"]' },
    ],
  };

  it('is what it is not', () => {
    expect(worded(any('product', "!= 'Mort(gage) or x'"), content)).to.equal('Product is not "Mort(gage) or x"');
    expect(worded(`${any('$root["Loan type"]', "not in ['A', 'B']")} and product > 5`, content)).to.equal(
      'Loan type is none of "A", "B" and Product > 5',
    );
  });

  it('is told in full where a kind is left out', () => {
    expect(worded(any('product', "!= 'A'", kinds.slice(1)), content)).to.match(/^\(Product .* or .* or .* or /);
  });

  it('and of some texts, numbers or dates what they are, or that it is none', () => {
    const always = ['= null', '= false', '= true', 'is a list', 'is an object'];
    const noNumber = ['is any date', 'is any text', ...always, 'is no valid date'];
    const noDate = ['is any number', 'is any text that names no date', ...always];
    expect(worded(any('product', "= 'A'"), content)).to.equal('(Product is "A" or Product is no text)');
    expect(worded(any('product', '>= 5', noNumber), content)).to.equal('(Product >= 5 or Product is no number)');
    expect(worded(any('product', ">= d('2027-01-01')", noDate), content)).to.equal(
      '(Product >= 2027-01-01 or Product is no date)',
    );
    const noText = ['= false', 'is any text', 'is any number', '= null', 'is a list', 'is an object'];
    expect(worded(any('product', 'is any date', [...noText, 'is no valid date']), content)).to.equal(
      'Product is not true',
    );
    const [first = '', ...rest] = noNumber;
    expect(worded(`age > 3 and ${any('product', first, rest)}`, content)).to.equal('age > 3 and Product is no number');
    const two = any('product', 'is a list', noNumber.slice(1)).replace('product is a list', 'age is a list');
    expect(worded(two, content)).to.match(/ or .* or .* or /);
  });
});

describe('why something was not decided', () => {
  it('is the time that there was', () => {
    const reason = 'the rows divide the inputs into too many parts';
    expect(worded(`Inputs that no row takes: not decided, as ${reason}`, null)).to.equal(
      'Inputs that no row takes: not decided, as the rows divide the inputs into more parts than there was time for',
    );
    expect(inTime('the outputs are computed')).to.equal('the outputs are computed');
  });
});

describe('what is told of a step of a run', () => {
  const inputs = [
    { name: 'Loan amount', field: '$root["Loan amount"]' },
    { name: 'Valid from', field: '$root["Valid from"]' },
    { name: 'Credit score', field: 'creditScore' },
    { name: 'Line', field: 'row' },
  ];

  it('has the names of columns and plain dates, and what the run was given as it was', () => {
    for (const [told, said] of [
      ['matched row 4, because $root["Loan amount"] was 72000', 'matched row 4, because Loan amount was 72000'],
      ['at least d("2026-04-01") ("2026-04-01T00:00:00Z"); it gave 3', 'at least 2026-04-01; it gave 3'],
      [
        '$root["Valid from"] was “2026-05-08”, which fits >= d("2026-04-01") and <= d(\'2026-06-30\')',
        'Valid from was “2026-05-08”, which fits >= 2026-04-01 and <= 2026-06-30',
      ],
      [
        'creditScore was 700, which fits >= 650; it gave creditScore 1',
        'Credit score was 700, which fits >= 650; it gave creditScore 1',
      ],
      ['made x 5, by $root["Other thing"] * 2', 'made x 5, by Other thing * 2'],
      ['row was “row was d("2026-04-01")”', 'Line was “row was d("2026-04-01")”'],
      ['Since was “2024-01-01”, which fits date("2024-01-01")', 'Since was “2024-01-01”, which fits 2024-01-01'],
    ] as const)
      expect(wordedStep(told, { inputs }), told).to.equal(said);
  });
});

describe('columns whose gaps are fractions alone', () => {
  const columns = [
    { id: 'a', name: 'Credit score', field: '$root["Credit score"]' },
    { id: 'b', name: 'Age', field: 'age' },
    { id: 'c', name: 'Rate', field: 'rate' },
    { id: 'd', name: 'Months', field: 'months', _whole: true },
  ];

  it('are those with nothing between two whole numbers, of which nobody has said that they are whole', () => {
    const message = 'No row takes $root["Credit score"] in (579..580) and age in (5..7) and rate in (0.5..1.5)';
    const names = (text: string) => inFractions(text, { inputs: columns }).map(([{ name }]) => name);
    expect(names(message)).to.deep.equal(['Credit score']);
    expect(names('No row takes (age < 5 or age in (-1..0)) and page in (1..2) and months in (3..4)')).to.deep.equal([
      'Age',
    ]);
  });

  it('and two days that follow one another', () => {
    const days = (until: string) =>
      inFractions(`No row takes age in (d('2026-06-30')..d('${until}'))`, { inputs: columns });
    expect(days('2026-07-01').map(([{ name }, what]) => [name, what])).to.deep.equal([['Age', 'days']]);
    expect(days('2026-07-02')).to.deep.equal([]);
  });
});

describe('what a run gives where no row took its fact', () => {
  it('is what it has beside the fact, or nothing', () => {
    const fact = { use: 'Van', age: 18, more: { a: 1, b: 2 } };
    expect(givenBeside({ age: 18, use: 'Van', more: { b: 2, a: 1 } }, fact)).to.equal(undefined);
    expect(givenBeside({ ...fact, fee: 0, age: 19 }, fact)).to.deep.equal({ fee: 0, age: 19 });
    expect([null, {}, undefined].map((result) => givenBeside(result, fact))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect(givenBeside({ error: 'no' }, fact)).to.deep.equal({ error: 'no' });
    expect(givenBeside([], fact)).to.deep.equal([]);
  });
});
