import { expect } from 'chai';
import { shownFields } from '../../../workers/models/shownFields.js';

const named = (name: string, count: number): object => ({
  [name]: Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at])),
});
const charactersOf = ({ shown }: ReturnType<typeof shownFields>): number =>
  shown.reduce((sum, [path, value]) => sum + path.length + value.length, 0);

describe('fields that are shown of a value', () => {
  it('are named by their paths, numbers with their digits', () => {
    expect(shownFields('{"a":{"b":[1.10,"x"]},"c":null,"d":[],"e":12345678901234567890}')).to.deep.equal({
      shown: [
        ['a.b[0]', '1.10'],
        ['a.b[1]', 'x'],
        ['c', 'null'],
        ['d', '[]'],
        ['e', '12345678901234567890'],
      ],
      left: 0,
    });
    expect(shownFields('"x"')).to.deep.equal({ shown: [['value', 'x']], left: 0 });
  });

  it('are 200, and the others are counted', () => {
    const { shown, left } = shownFields(JSON.stringify({ ...named('a', 250), b: named('c', 250) }));
    expect([shown.length, left]).to.deep.equal([200, 300]);
  });

  it('take no more room than a page has, however long names and texts are', () => {
    const long = 'k'.repeat(100_000);
    for (const value of [named(long, 300), { [long]: named(long, 300) }, { a: long }, named('a', 300)])
      expect(charactersOf(shownFields(JSON.stringify(value)))).to.be.below(100_000);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, long]));
    const { shown, left } = shownFields(JSON.stringify(many));
    expect([shown.length, left]).to.deep.equal([5, 45]);
    expect(shown[0]?.[1].slice(-24)).to.equal('kkkk… (100000 characters)'.slice(-24));
  });
});
