import { expect } from 'chai';
import type { Model } from '../../../src/console/api/types.js';
import { linesBeside, linesOf } from '../../../src/console/compare/differenceLines.js';
import { compareJdm } from '../../../workers/models/compare/jdmDifferences.js';

const columns = {
  inputs: [{ id: 'a', name: 'Age', field: 'age' }],
  outputs: [{ id: 'p', name: 'Price', field: 'price' }],
};
const model = (rules: readonly object[]): Model => ({
  nodes: [
    {
      ...{ id: 't', type: 'decisionTableNode', name: 'Fees', position: { x: 0, y: 0 } },
      content: { ...columns, hitPolicy: 'first', rules },
    },
  ],
  edges: [],
});
const row = (_id: string, a: string, p: string): object => ({ _id, a, p });

describe('what another has changed beside what I have', () => {
  const begun = model([row('r1', '< 18', '1'), row('r2', '', '2')]);
  const linesTo = (after: Model) => linesOf(compareJdm(begun, after), { before: begun, after });

  it('has nothing that both changed to the same, whatever else I changed of its row and above it', () => {
    const theirs = linesTo(model([row('r1', '< 18', '5'), row('r2', '', '7')]));
    const mine = linesTo(model([row('r0', '< 3', '0'), row('r1', '< 21', '5'), row('r2', '', '6')]));
    expect(linesBeside(theirs, mine).map(({ where, after }) => [where, after])).to.deep.equal([['row 2, Price', '7']]);
    expect(linesBeside(theirs, theirs)).to.deep.equal([]);
    expect(linesBeside(theirs, [])).to.deep.equal(theirs);
  });
});

describe('what is said of a column', () => {
  it('is told in words where it counts, and not where it only tells how numbers were written', () => {
    const before = model([row('r', '< 18', '1')]);
    const node = before.nodes[0]!;
    const said = (marks: object): Model => ({
      ...before,
      nodes: [{ ...node, content: { ...(node.content as object), inputs: [{ ...columns.inputs[0], ...marks }] } }],
    });
    const told = (after: Model): readonly string[] =>
      linesOf(compareJdm(before, after), { before, after }).map(({ where }) => where);
    expect(told(said({ _whole: true }))).to.deep.equal(['input column “Age”: whole numbers only']);
    expect(told(said({ _kind: 'date' }))).to.deep.equal(['input column “Age”: kind']);
    expect(told(said({ _commas: 'own' }))).to.deep.equal([]);
    expect(told(said({ _unit: 'kg' }))).to.deep.equal([]);
  });
});
