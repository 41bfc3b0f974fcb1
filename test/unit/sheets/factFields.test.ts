import { expect } from 'chai';
import { readFacts } from '../../../workers/sheets/facts/batch.js';

const number = { type: 'number' };
const text = { type: 'string' };
const input = {
  type: 'object',
  properties: { 'Loyalty level': text, age: number, parcel: { type: 'object', properties: { weight: number } } },
};

interface Read {
  readonly facts: readonly unknown[];
  readonly questions: readonly string[];
}

function read(titles: readonly string[], schema: unknown = input, rules: object = {}): Read {
  const rows = [titles, titles.map((_title, at) => String(at + 1))];
  const found = readFacts({ name: 'Facts', rows, notes: [] }, { input: schema, isMeant: true, ...rules });
  return {
    facts: found.items.map((item) => (JSON.parse(item) as { readonly fact: unknown }).fact),
    questions: found.questions,
  };
}

describe('a column of a file that a person has chosen', () => {
  it('is the field that its title is but for capitals, blanks, `_` and `-`', () => {
    for (const title of ['Loyalty Level', 'loyalty_level', 'LOYALTY-LEVEL', 'loyaltyLevel'])
      expect(read([title, 'Age', 'Parcel.Weight']), title).to.deep.equal({
        facts: [{ 'Loyalty level': '1', age: 2, parcel: { weight: 3 } }],
        questions: [],
      });
  });

  it('is no such field where another column is it, or two titles are like it, or it is like two', () => {
    const titles = ['Loyalty level', 'age', 'parcel', 'AGE'];
    expect(read(titles).facts).to.deep.equal([{ 'Loyalty level': '1', age: 2, parcel: 3, AGE: 4 }]);
    expect(read(['Loyalty level', 'Age', 'AGE', 'parcel']).questions).to.have.length(3);
    const two = { properties: { age: number, Age: number } };
    expect(read(['AGE', 'age'], two).questions).to.deep.equal([
      'Facts!A1: "AGE" is no field that the decision takes. Is "Age" meant?',
      'No column is the field "Age", which the decision takes.',
    ]);
  });

  it('is asked about where it is no field, with each field that has no column, and nothing is read', () => {
    expect(read(['Loyalty', 'age', 'parcel.weight', 'colour', 'reference'])).to.deep.equal({
      facts: [],
      questions: [
        'Facts!A1: "Loyalty" is no field that the decision takes. Is "Loyalty level" meant?',
        'Facts!D1: "colour" is no field that the decision takes.',
        'No column is the field "Loyalty level", which the decision takes.',
      ],
    });
  });

  it('is sent as it is where somebody says so, and where each field has a column', () => {
    expect(read(['Loyalty', 'Age'], input, { takesOthers: true }).facts).to.deep.equal([{ Loyalty: 1, age: 2 }]);
    const titles = ['Loyalty level', 'age', 'parcel.weight', 'colour'];
    expect(read(titles).facts).to.deep.equal([{ 'Loyalty level': '1', age: 2, parcel: { weight: 3 }, colour: 4 }]);
  });

  it('is known where it is a part of what nothing is known of, and where the decision takes others', () => {
    const open = { properties: { any: {}, list: { type: 'array', items: { properties: { k: number } } } } };
    expect(read(['any.thing', 'list[0].K'], open)).to.deep.equal({
      facts: [{ any: { thing: 1 }, list: [{ k: 2 }] }],
      questions: [],
    });
    expect(read(['x'], { type: 'object' }).questions).to.deep.equal([]);
    expect(read(['x'], null).questions).to.deep.equal([]);
    const more = { properties: { age: number }, additionalProperties: true };
    expect(read(['x'], more).questions).to.deep.equal(['No column is the field "age", which the decision takes.']);
  });

  it('is missed of a field that a fact need not have only where another column is no field', () => {
    const schema = { properties: { age: number, note: text }, required: ['age'] };
    expect(read(['age'], schema).questions).to.deep.equal([]);
    expect(read(['age', 'notes'], schema).questions).to.deep.equal([
      'Facts!B1: "notes" is no field that the decision takes. Is "note" meant?',
      'No column is the field "note", which the decision takes.',
    ]);
  });

  it('has a name with a dot where the field has it', () => {
    expect(read(['a.b'], { properties: { 'a.b': number } }).facts).to.deep.equal([{ 'a.b': 1 }]);
  });

  it('is no matter for callers who send their fields as they are', () => {
    expect(read(['Loyalty'], input, { isMeant: false }).facts).to.deep.equal([{ Loyalty: 1 }]);
  });

  it('is looked for in the first row, and told by the row that seems to name it where a title is above', () => {
    const rows = [['Prices of March'], [], ['Loyalty level', 'age', 'parcel.weight'], ['gold', '7', '2']];
    const { faults, questions } = readFacts({ name: 'Facts', rows, notes: [] }, { input, isMeant: true });
    expect([faults, questions]).to.deep.equal([
      [
        'Facts: row 1 has one name for many columns, as a title has it. The first row names them: take away what stands above row 3, which seems to have the names.',
      ],
      [],
    ]);
  });
});
