import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { inSources } from '../support/sourceLines.js';

describe('the stack of a test that failed', () => {
  it('names the file and the line of the source that it was compiled of', () => {
    const stack = inSources(new Error('made here').stack ?? '');
    const file = join(projectRoot, 'test/unit/sourceLines.test.ts');
    const line =
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex((text) => text.includes("'made here'")) + 1;
    expect(stack.split('\n')[1]).to.match(new RegExp(`${file}:${line}:\\d+\\)`));
  });

  it('keeps what has no map', () => {
    const stack = 'Error: no\n    at it (/nowhere/at.js:3:7)\n    at node:internal/timers:581:17';
    expect(inSources(stack)).to.equal(stack);
  });
});
