import { expect } from 'chai';
import { heldByFolder } from '../../../src/cli/remote/folder/compare.js';

describe('the keys that a folder can hold', () => {
  it('are paths below it, whatever a server says', () => {
    const outside = [
      ...['../x.json', 'a/../../x.json', '/etc/x.json', 'a//x.json', './x.json', 'a\\..\\x.json', 'x\u0000.json'],
    ];
    const unnamed = ['x', '.json/', '.json', '.verdict/x.json', `${'é'.repeat(130)}.json`];
    const good = ['x.json', 'a/b/c.json', '__proto__.json', `${'k'.repeat(250)}.json`];
    expect([...heldByFolder([...outside, ...unnamed, ...good])]).to.deep.equal(good);
  });

  it('are none that need a folder where another is a file', () => {
    expect([...heldByFolder(['a.json/b.json', 'a.json', 'b/c.json'])]).to.deep.equal(['a.json', 'b/c.json']);
  });

  it('are none that a system or a program takes for something else', () => {
    const special = [
      ...['.vscode/tasks.json', '.git/x.json', 'a/.hidden.json', 'node_modules/x.json', 'a/node_modules/x.json'],
      ...['CON.json', 'a/nul.x.json', 'aux/x.json', 'com1.json', 'LPT³.json', 'CON .json', 'x:y.json', 'a:b/x.json'],
    ];
    const good = ['console.json', 'a/company.json', 'node_modules.json', 'a.b/c.d.json', 'com.json', 'lpt10.json'];
    expect([...heldByFolder([...special, ...good])]).to.deep.equal(good);
  });

  it('are none that differ from an earlier one by case alone, in a folder’s name too, or by the form of its letters', () => {
    const [composed, decomposed] = ['\u00e9.json', 'e\u0301.json'];
    const keys = ['A.json', 'a.json', 'b/x.json', 'B/y.json', 'b/Y.json', composed, decomposed];
    expect([...heldByFolder(keys)]).to.deep.equal(['A.json', 'b/x.json', 'b/Y.json', composed]);
  });
});
