import { expect } from 'chai';
import { heldByFolder } from '../../../src/cli/remote/folder/compare.js';

describe('the keys that a folder can hold', () => {
  it('are paths below it, whatever a server says', () => {
    const outside = [
      '../x.json',
      'a/../../x.json',
      '/etc/x.json',
      'a//x.json',
      './x.json',
      'a\\..\\x.json',
      'x\u0000.json',
    ];
    const unnamed = ['x', '.json/', '.verdict/x.json', `${'é'.repeat(130)}.json`];
    const good = ['x.json', 'a/b/c.json', '__proto__.json', `${'k'.repeat(250)}.json`, '.json'];
    expect([...heldByFolder([...outside, ...unnamed, ...good])]).to.deep.equal(good);
  });

  it('are none that need a folder where another is a file', () => {
    expect([...heldByFolder(['a.json/b.json', 'a.json', 'b/c.json'])]).to.deep.equal(['a.json', 'b/c.json']);
  });
});
