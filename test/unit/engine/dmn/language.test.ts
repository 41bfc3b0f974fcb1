import { expect } from 'chai';
import { feelTables } from '../../../../src/api/docs/languageReference.js';
import { builtins } from '../../../../workers/engine/feel/index.js';

describe('the guide to FEEL', () => {
  it('ends with every function, an example of each and its result', () => {
    const rows = feelTables()
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows).to.have.lengthOf(builtins.size);
    for (const name of builtins.keys()) {
      const row = rows.find((line) => line.startsWith(`| \`${name}(`)) ?? '';
      const cells = row.split(' | ');
      expect(cells, name).to.have.lengthOf(5);
      expect(cells.at(-1), name).to.not.include('`null`');
    }
    expect(rows).to.include('| `sqrt(number)` | The square root. | a number | `sqrt(16)` | `4` |');
  });
});
