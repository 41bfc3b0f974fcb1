import { expect } from 'chai';
import { pointerWords } from '../../../src/console/compare/pointerWords.js';
import { fieldOf } from '../../../src/console/facts/fields.js';
import { wordsIn } from '../../../src/console/graph/fields.js';
import { convertCsv } from '../../support/sheets.js';

/** What every object has, and people call columns, fields and units as well. */
const names = ['constructor', 'valueOf', 'propertyIsEnumerable', 'hasOwnProperty'];

describe('names that every object has', () => {
  for (const name of names) {
    it(`${name}: is a column of a sheet, and a word of its cells, like any other`, () => {
      const of = (word: string): string =>
        JSON.stringify(
          convertCsv([
            `${word},${word} from,${word} to,Fee`,
            `5 ${word},1,2,=${word}(1)`,
            `1 ${word} 2026,2,3,4${word}`,
            `x,3,4,${word}`,
          ]),
        );
      const ids = /[\da-f]{8}-[-\da-f]{27}/g;
      const other = name.replaceAll(/[a-z]/g, 'q');
      const [own, others] = [of(name).replaceAll(ids, ''), of(other).replaceAll(ids, '')];
      // The name of a function that is not known is told in capitals.
      const renamed = own.replaceAll(name, other).replaceAll(name.toUpperCase(), other.toUpperCase());
      expect(renamed === others, own).to.equal(true);
    });

    it(`${name}: is told as it is written where a change is told, and as a format of a fact`, () => {
      expect(pointerWords({}, `/content/${name}`)).to.equal(wordsIn(name));
      expect(fieldOf({ type: 'string', format: name })).to.deep.equal(fieldOf({ type: 'string', format: 'other' }));
    });
  }
});
