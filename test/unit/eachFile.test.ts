import { expect } from 'chai';
import { Runner, Suite, Test } from 'mocha';
import { beforeEachFile } from '../support/eachFile.js';

describe('files that one process runs one after the other', () => {
  it('each begin with what is done before a file, ahead of their own hooks', async () => {
    const done: string[] = [];
    const does = (what: string) => (): void => void done.push(what);
    const root = new Suite('');
    for (const [file, title] of [
      ['a.test.js', 'a, first'],
      ['a.test.js', 'a, second'],
      ['b.test.js', 'b'],
    ] as const) {
      const suite = Suite.create(root, title);
      suite.file = file;
      suite.beforeAll(does(`hook of ${title}`));
      suite.addTest(new Test('test', does(title)));
    }
    beforeEachFile(root, () => {
      done.push('emptied');
      return Promise.resolve();
    });
    await new Promise((resolve) => new Runner(root).run(resolve));
    expect(done).to.deep.equal([
      ...['emptied', 'hook of a, first', 'a, first', 'hook of a, second', 'a, second'],
      ...['emptied', 'hook of b', 'b'],
    ]);
  });
});
