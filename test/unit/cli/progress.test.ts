import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { openProgress } from '../../../src/cli/progress.js';

describe('bars', () => {
  it('leave the terminal as it is while they are drawn: Ctrl-C left it without cursor and line wrapping', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true });
    const progress = openProgress(terminal, 'checking', 4);
    progress.advance();
    const drawn: string[] = [];
    // One chunk at a time: how many of them one call joins is another matter in each version of Node.
    for (;;) {
      const chunk = terminal.read() as Buffer | null;
      if (chunk === null) break;
      drawn.push(chunk.toString());
    }
    progress.end();
    expect(drawn.join('')).to.include('checking');
    // DECRST 25 hides the cursor, DECRST 7 ends wrapping.
    expect(drawn.join('')).to.not.match(/\u001b\[\?(?:25|7)l/);
  });
});
