import { expect } from 'chai';
import { lengthBegun } from '../../../../src/console/editor/text/word.js';

describe('a field with blanks in its name, while it is typed', () => {
  for (const [typed, length] of [
    ['Per m', 5],
    ['per ', 4],
    ['12 * Per metre', 9],
    ['round(Per met', 7],
    ['Per', 0],
    ['Super m', 0],
    ['Per km', 0],
    ['Per m + ', 0],
    ['', 0],
  ] as const)
    it(`is begun with ${length} letters in "${typed}"`, () =>
      expect(lengthBegun('Per metre €', typed)).to.equal(length));

  it('is not looked for where it is one word', () => expect(lengthBegun('fee', 'fe')).to.equal(0));
});
