import { expect } from 'chai';
import { modelOf } from '../../../src/console/dmn/model.js';
import { sheetOf, withCells, type Sheet } from '../../../src/console/editor/sheet.js';
import { spacedOf } from '../../../src/console/editor/spacedFields.js';
import type { Word } from '../../../src/console/editor/text/word.js';
import { takenAs, typedText, typedTexts } from '../../../src/console/editor/typedText.js';
import { wordsOf } from '../../../src/console/editor/words.js';
import { lending } from '../../support/dmnDocument.js';

const model = modelOf(lending, undefined, () => new Map());
const offer = model.nodes.find(({ id }) => id === 'offer')!;
const sheet = sheetOf(offer)!;
const names = new Set(wordsOf(model, 'offer', undefined).map(({ label }) => label));

/** As what a word is taken that somebody writes into a column of the table: by risk, limit and offer, and the notes. */
function taken(word: string, column: number): string | null {
  const written: Sheet = sheetOf({ ...offer, content: withCells(sheet, [{ row: 1, column, text: word }]) })!;
  return typedText(written, { row: 1, column }, (name) => names.has(name));
}

/** As what the first of some cells is taken, as a condition and as a result. */
const written = (cells: readonly string[], column: 'a' | 'b'): string | null => {
  const rules = cells.map((text, at) => ({ _id: String(at), a: text, b: text }));
  const content = { inputs: [{ id: 'a', field: 'from' }], outputs: [{ id: 'b', field: 'to' }], rules };
  const sheet = sheetOf({ type: 'decisionTableNode', content })!;
  return typedText(sheet, { row: 0, column: column === 'a' ? 0 : 1 }, () => false);
};

describe('a boolean as a spreadsheet writes it', () => {
  it('is one among booleans, and may be anything among texts', () => {
    for (const column of ['a', 'b'] as const) {
      expect(written(['FALSE', 'true', 'false'], column)).to.equal('false');
      expect(written(['true', 'true', 'false'], column)).to.equal(null);
      expect(written(['FALSE', '"a"', '"b"', '"c"'], column)).to.equal(null);
    }
  });
});

describe('a text of several words, or with a number in front', () => {
  it('is that text among texts, whatever stands beside them that can be no field', () => {
    for (const column of ['a', 'b'] as const)
      for (const word of ['economy seat', '3-berth inside', '2x bunk'])
        for (const others of [
          ['"outside"', '"inside"'],
          ['"4-berth inside"', '"lounge"', 'window seat', '2-berth outside'],
        ])
          expect(written([word, ...others], column), word).to.equal(JSON.stringify(word));
  });

  it('is left where texts are written as fields are, and where the column has no texts', () => {
    for (const others of [
      ['"inside"', 'lounge'],
      ['5', '7', '9'],
      ['"2026-01-01"', '"2026-07-01"'],
    ])
      expect(written(['3-berth inside', ...others], 'a')).to.equal(null);
    expect(written(['3-4', '"inside"', '"outside"', '"lounge"'], 'a')).to.equal(null);
    expect(written(['12', '"inside"', '"outside"', '"lounge"'], 'a')).to.equal(null);
  });

  it('is that text also where a column has nothing yet, and a word alone is where it is asked for', () => {
    for (const column of ['a', 'b'] as const) expect(written(['economy seat', ''], column)).to.equal('"economy seat"');
    expect(written(['director', ''], 'a')).to.equal('"director"');
    expect(written(['director', ''], 'b')).to.equal(null);
    for (const word of ['true', 'null', '12', '> 5']) expect(written([word, ''], 'a'), word).to.equal(null);
  });

  it('is told as a text, and a day as a day', () => {
    expect(takenAs('"3-berth inside"')).to.equal('Taken as the text "3-berth inside". Undo, if it names a field.');
    expect(takenAs('"2026-01-01"')).to.equal('Taken as the day "2026-01-01".');
  });
});

describe('a dash or a word for whatever comes', () => {
  it('is an empty condition where it can be nothing else, and no result', () => {
    for (const others of [['5', '7', '9'], ['"a"', '"b"'], []]) {
      expect(written(['-', ...others], 'a')).to.equal('');
      expect(written(['-', ...others], 'b')).to.equal(null);
    }
    expect(written(['otherwise', '5', '7', '9'], 'a')).to.equal('');
    expect(written(['any', '"a"', '"b"'], 'a')).to.equal('');
    // It may be a text as well as that.
    expect(written(['all', '"a"', '"b"'], 'a')).to.equal(null);
  });
});

describe('a day that somebody writes as the world does', () => {
  it('is one among days, as a condition and as a result, and a subtraction among numbers', () => {
    for (const column of ['a', 'b'] as const) {
      expect(written(['2026-01-01', '"2026-07-01"', '"2027-01-01"'], column)).to.equal('"2026-01-01"');
      expect(written(['2026-01-01', '5', '7', '9', '11'], column)).to.equal(null);
    }
  });
});

describe('a word that somebody writes into a table of DMN', () => {
  it('is a text where the column has texts, as in every other table', () => {
    expect(taken('low', 0)).to.equal('"low"');
    expect(taken('gold card', 2)).to.equal('"gold card"');
  });

  for (const [why, word, column] of [
    ['the column has numbers', 'low', 1],
    ['it is a note', 'low', 3],
    ['the decision requires something of that name', 'Since', 0],
    ['a column reads it', 'Risk Class', 2],
    ['it is a word of the language', 'null', 2],
    ['it takes everything', 'any', 0],
    ['it excludes something', 'not low', 0],
    ['it is a text already', '"low"', 0],
    ['it is a call', 'lower case("A")', 2],
  ] as const)
    it(`stays as it is where ${why}`, () => expect(taken(word, column)).to.equal(null));

  it('is gone with the cell, which shows what an empty one means', () => {
    expect(sheet.columns.map(({ empty }) => empty)).to.deep.equal(['-', '-', '', '']);
  });
});

describe('what has an order and one meaning only', () => {
  for (const [cell, beside, column, meant] of [
    ['18-64', ['< 18', '> 64'], 'a', '[18..64]'],
    ['up to 20', ['> 20'], 'a', '<= 20'],
    ['€ 20,50', ['12.5', '3'], 'b', '20.5'],
    ['15%', ['0.1', '0.2'], 'b', '0.15'],
    ['31/05/2027', ['"2026-01-31"'], 'b', '"2027-05-31"'],
    ['1.234.567', ['5', '7'], 'b', '1234567'],
  ] as const)
    it(`is taken as that at once: ${cell}`, () => {
      expect(written([cell, ...beside], column)).to.equal(meant);
    });

  for (const [why, cell, beside, column] of [
    ['it has two meanings', '1,234', ['5', '7'], 'b'],
    ['its month may be its day', '01/02/2027', ['"2026-01-31"'], 'b'],
    ['the column has texts', '18-64', ['"18-64"', '"65-70"', '"a"'], 'a'],
    ['it is a subtraction that gives a result', '18-64', ['1', '2'], 'b'],
    ['it is a formula', '=A1*5%', ['1', '2'], 'b'],
    ['it is ZEN', '[18..64]', ['< 18'], 'a'],
  ] as const)
    it(`is left where ${why}: ${cell}`, () => {
      expect(written([cell, ...beside], column)).to.equal(null);
    });
});

describe('a word for all the rest as a condition of a switch', () => {
  const meant = (condition: string, isName = (_word: string): boolean => false): string | null => {
    const statements = [
      { id: 'a', condition: 'age < 18' },
      { id: 'b', condition },
    ];
    const switched = sheetOf({ type: 'switchNode', content: { statements } })!;
    return typedText(switched, { row: 1, column: 0 }, isName);
  };

  for (const word of ['otherwise', 'else', 'Otherwise', 'sonst', '-'])
    it(`is the empty cell that takes all the rest: ${word}`, () => expect(meant(word)).to.equal(''));

  it('stays where a field is called so, and where it is part of a condition', () => {
    expect(meant('otherwise', (word) => word === 'otherwise')).to.equal(null);
    for (const condition of ['otherwise > 5', 'age > 5', '']) expect(meant(condition)).to.equal(null);
  });
});

describe('a formula of a spreadsheet that has one meaning', () => {
  const words: readonly Word[] = [
    'Trip km',
    'Price per km',
    'Price',
    'premium',
    'age',
    'Co-payment',
    'age-premium',
  ].map((label) => ({
    ...{ label, detail: '', kind: 'field' },
    ...(/[ -]/.test(label) ? { written: `$root["${label}"]` } : {}),
  }));
  const isName = (word: string): boolean => words.some(({ label }) => label === word);
  const expression = (value: string): string | null => {
    const expressions = [
      ...['net', 'premium', 'Whole sum'].map((key) => ({ id: key, key, value: 'age' })),
      { id: 'b', key: 'b', value },
    ];
    const list = sheetOf({ type: 'expressionNode', content: { expressions } })!;
    return typedText(list, { row: 3, column: 1 }, isName, spacedOf(words));
  };
  const result = (cell: string): string | null => {
    const content = {
      inputs: [
        { id: 'i', name: 'Day rate', field: 'dayRate' },
        { id: 'k', name: 'Trip km', field: '$root["Trip km"]' },
        { id: 'p', name: 'Price per km', field: '$root["Another price"]' },
      ],
      outputs: [{ id: 'o', name: 'Fee', field: 'fee' }],
      rules: [
        { _id: '1', i: '', k: '', p: '', o: cell },
        { _id: '2', i: '', k: '', p: '', o: '5' },
      ],
    };
    return typedText(sheetOf({ type: 'decisionTableNode', content })!, { row: 0, column: 3 }, isName, spacedOf(words));
  };

  for (const [typed, text] of [
    ['=Trip km * Price per km', '$root["Trip km"] * $root["Price per km"]'],
    ['Trip km * price per KM', '$root["Trip km"] * $root["Price per km"]'],
    ['round(age * Co-payment, 2)', 'round(age * $root["Co-payment"], 2)'],
    ['=ROUND(age*co-payment;2)', 'round(age * $root["Co-payment"], 2)'],
    // Each part is a field of its own.
    ['=age-premium', 'age - premium'],
    ['=age*5%', 'age * 0.05'],
    ['="Hello "&age', '"Hello " + string(age)'],
    ['=net * Trip km', '$.net * $root["Trip km"]'],
    ['=Whole sum / 2', '$["Whole sum"] / 2'],
    // A field that comes into the node is called so, too.
    ['=premium * 2', 'premium * 2'],
  ] as const)
    it(`is that, as an expression: ${typed}`, () => expect(expression(typed)).to.equal(text));

  for (const typed of ['=Trip km * A1', '=Trip km plus 5', 'Trip km plus 5', '=Foo bar', 'age * 5', 'age in Trip km'])
    it(`is left where it is more, or none: ${typed}`, () => expect(expression(typed)).to.equal(null));

  for (const [typed, text] of [
    ['=Trip km * 2', '$root["Trip km"] * 2'],
    ['=Day rate*5%', 'dayRate * 0.05'],
    ['=age * 2', 'age * 2'],
    // Words in a table are texts as often.
    ['Trip km', null],
    // The column of that name reads another field.
    ['=Price per km * 2', null],
  ] as const)
    it(`is ${text === null ? 'left' : 'that'} as a result: ${typed}`, () => expect(result(typed)).to.equal(text));
});

describe('words that replace others in several cells', () => {
  const replaced = (text: string, cells = ['"Hall", "heated"', '"Hall", "heated"', '"Yard"', '"Attic"']): string[] => {
    const rules = cells.map((cell, at) => ({ _id: String(at), a: cell, b: '1' }));
    const content = { inputs: [{ id: 'a', field: 'place' }], outputs: [{ id: 'b', field: 'to' }], rules };
    const sheet = sheetOf({ type: 'decisionTableNode', content })!;
    const found = [0, 1].map((row) => ({ row, column: 0, text }));
    return typedTexts(sheet, found, { isName: (word) => word === 'size', spaced: new Map() }).map((cell) => cell.text);
  };

  it('are the texts that typing would make of them, and else stay as they are written', () => {
    expect(replaced('Heated hall')).to.deep.equal(['"Heated hall"', '"Heated hall"']);
    expect(replaced('size')).to.deep.equal(['size', 'size']);
    expect(replaced('> 5', ['> 3', '> 3', '> 7', '> 9'])).to.deep.equal(['> 5', '> 5']);
  });
});
