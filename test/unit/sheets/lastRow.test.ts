import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';

interface Model {
  readonly nodes: readonly {
    readonly content: {
      readonly inputs?: readonly { readonly id: string }[];
      readonly rules?: readonly Record<string, string>[];
    };
  }[];
}

/** The first condition of the last row, and what is told of it. */
function lastOf(rows: readonly string[]): readonly [cell: string | undefined, hint: string | undefined] {
  const { content, diagnostics } = convertedSheet(rows.join('\n'));
  const { inputs = [], rules = [] } = (content as Model).nodes[1]?.content ?? {};
  const [first] = inputs;
  const pointer = `/nodes/1/content/rules/${rules.length - 1}/${first?.id}`;
  return [rules.at(-1)?.[first?.id ?? ''], diagnostics.find((each) => each.pointer === pointer)?.hint ?? undefined];
}

const asked = (word: string): string => `${word} may mean 2 things: write "${word}", or leave it empty.`;

describe('the word of a last row that asks nothing else', () => {
  const classes = ['Class,Basket,Discount', 'Gold,> 100,0.1', 'Silver,> 100,0.05', '"Staff, Partner",,0.3'];

  for (const word of [
    'everyone else',
    'All other days',
    'all customers',
    'wer sonst kommt',
    'rest',
    'everybody',
    'muu',
    'remaining',
    'all others',
    'resto',
    'Weitere',
    'Otros',
    '(any other)',
    'Tutti gli altri',
    'Overige',
    'wszystkie inne',
    'todos los demás',
    'todos os outros',
    'alle andre',
    '(whoever comes)',
  ])
    it(`may take all that is left, and is asked: ${word}`, () => {
      expect(lastOf([...classes, `${word},,0`])).to.deep.equal([word, asked(word)]);
    });

  it('is that of the last row with a result: notes stand below a table', () => {
    const rows = [...classes, 'everyone else,,0', 'Source: the handbook,,'];
    const { diagnostics } = convertedSheet(rows.join('\n'));
    expect(diagnostics.map(({ source }) => source))
      .to.include('everyone else')
      .and.not.include('Source: the handbook');
  });

  it('takes all that is left among numbers, where it is nothing else', () => {
    const rows = ['Age,Basket,Fee', '< 18,> 100,0', '[18..65],> 100,5'];
    expect(lastOf([...rows, 'all ages,,1'])).to.deep.equal(['all ages', 'Leave the cell empty.']);
    // It may as well mean that nothing is known.
    expect(lastOf([...rows, 'unknown,,1'])[1]).to.match(/^Nobody can say what is meant/);
  });

  it('is a text as the others are where it looks like them, or stands there too', () => {
    for (const word of ['Bronze', 'Staff', 'Partner', 'Bare Metal'])
      expect(lastOf([...classes, `${word},,0`]), word).to.deep.equal([`"${word}"`, undefined]);
    const codes = ['Country,Basket,Discount', 'FI,> 100,0.1', '"SE, NO",> 100,0.05', 'DE,,0'];
    expect(lastOf(codes)).to.deep.equal(['"DE"', undefined]);
  });

  it('is a text in a list of one condition, in a row that asks more, and between others', () => {
    expect(lastOf(['Class,Discount', 'Gold,1', 'Silver,2', 'new customer,3'])[0]).to.equal('"new customer"');
    expect(lastOf([...classes, 'new customer,> 5,0'])[0]).to.equal('"new customer"');
    expect(lastOf([...classes, 'new customer,,0', 'Bronze,,1'])[1]).to.equal(undefined);
  });
});

describe('words for a part of a text, and for all of a kind', () => {
  const among = (cell: string): unknown =>
    lastOf(['Class,Basket,Fee', 'Gold,1,1', 'Silver,2,2', 'Bronze,3,3', `${cell},4,4`]);

  it('are asked, with what the language has for them', () => {
    expect(among('starts with B')).to.deep.equal([
      'starts with B',
      'starts with B may mean 2 things: write startsWith($, "B"), or write "starts with B".',
    ]);
    expect(among('Basic*')).to.deep.equal([
      'Basic*',
      'Basic* may mean 2 things: write startsWith($, "Basic"), or write "Basic*".',
    ]);
    expect(among('any EU')).to.deep.equal(['any EU', asked('any EU')]);
  });
});
