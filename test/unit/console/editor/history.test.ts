import { expect } from 'chai';
import { abandoned, edited, historyOf, redone, undone } from '../../../../src/console/desk/history.js';

describe('undo and redo of a draft', () => {
  it('take back step by step, and do again, until another edit', () => {
    const two = edited(edited(historyOf('a'), 'ab'), 'abc');
    expect(undone(two).present).to.equal('ab');
    expect(undone(undone(undone(two))).present).to.equal('a');
    expect(redone(undone(undone(two))).present).to.equal('ab');
    expect(redone(redone(redone(undone(undone(two))))).present).to.equal('abc');
    expect(edited(undone(two), 'x').future).to.deep.equal([]);
  });

  it('what is typed in one cell is one step, which can be given up', () => {
    const before = edited(historyOf('a'), 'b');
    const typed = ['b1', 'b12', 'b123'].reduce((history, text) => edited(history, text, 'cell 1'), before);
    expect(undone(typed).present).to.equal('b');
    expect(abandoned(typed, 'cell 1')).to.deep.include({ present: 'b', future: [] });
    expect(abandoned(typed, 'cell 2')).to.equal(typed);
    expect(undone(edited(typed, 'b1234', 'cell 2')).present).to.equal('b123');
  });

  it('an edit that changes nothing is no step', () => {
    const before = edited(historyOf('a'), 'b');
    expect(edited(before, 'b')).to.equal(before);
  });

  it('keep a bounded number of steps', () => {
    let history = historyOf(0);
    for (let value = 1; value <= 1000; value++) history = edited(history, value);
    expect(history.past.length).to.equal(200);
    expect(undone(history).present).to.equal(999);
  });
});
