import { expect } from 'chai';
import type { Model } from '../../../../src/console/api/types.js';
import { mergedModel } from '../../../../src/console/desk/merged.js';
import { single, table } from '../../../support/engine.js';

describe('what two people made of one model', () => {
  type Row = Readonly<Record<string, string>>;
  const rows: readonly Row[] = ['1', '2', '3'].map((o0) => ({ _id: `row ${o0}`, i0: `> ${o0}`, o0 }));
  const of = (rules: readonly Row[], more: object = {}): Model =>
    single(table('t', { inputs: ['a'], outputs: ['b'] }, rules, more)) as Model;
  const changed = (at: number, cells: Row): readonly Row[] => rows.with(at, { ...rows[at], ...cells });
  const both = (mine: Model, theirs: Model): Model | null => mergedModel(of(rows), mine, theirs);

  it('is all of it, where they changed other cells, rows or nodes', () => {
    const mine = of(changed(0, { o0: '10' }));
    expect(both(mine, of(changed(2, { o0: '30' })))).to.deep.equal(
      of(changed(0, { o0: '10' }).with(2, { ...rows[2], o0: '30' })),
    );
    expect(both(mine, of(changed(0, { i0: '> 9' })))).to.deep.equal(of(changed(0, { i0: '> 9', o0: '10' })));
    expect(both(mine, of(rows, { passThrough: true }))).to.deep.equal(
      of(changed(0, { o0: '10' }), { passThrough: true }),
    );
    expect(both(mine, mine)).to.deep.equal(mine);
    const tests = [{ name: 'one', input: {}, output: {} }];
    expect(both({ ...of(rows), tests }, mine)).to.deep.equal({ ...mine, tests });
  });

  it('has the rows of both in their places, and none that one of them removed', () => {
    const [one, two, three] = rows;
    const own = { _id: 'mine', i0: '', o0: '5' };
    const other = { _id: 'theirs', i0: '', o0: '6' };
    const found = both(of([one!, own, two!, three!]), of([two!, three!, other]));
    expect(found).to.deep.equal(of([own, two!, three!, other]));
    expect(both(of([three!, one!, two!]), of([one!, two!, three!, other]))).to.deep.equal(
      of([three!, other, one!, two!]),
    );
  });

  it('is mine where they changed one cell to different ends, or one removed what the other changed', () => {
    const mine = of(changed(0, { o0: '10' }));
    expect(both(mine, of(changed(0, { o0: '11' })))).to.deep.equal(mine);
    expect(both(mine, of(changed(0, { o0: '11' }).with(2, { ...rows[2], o0: '30' })))).to.deep.equal(
      of(changed(0, { o0: '10' }).with(2, { ...rows[2], o0: '30' })),
    );
    expect(both(mine, of(rows.slice(1)))).to.deep.equal(mine);
    expect(both(of(rows.slice(1)), of(changed(0, { o0: '11' })))).to.deep.equal(of(rows.slice(1)));
  });

  it('is nothing, where rows stand in two orders, or a line would come from what is gone', () => {
    const drawn = of(rows);
    const mineDrawn = { ...drawn, edges: [...drawn.edges, { id: 'new', sourceId: 't', targetId: 'out' }] };
    const without = { ...drawn, nodes: drawn.nodes.filter(({ id }) => id !== 't'), edges: [] };
    expect(both(mineDrawn, without), 'a line from a node that is gone').to.equal(null);
    expect(both(of([...rows].reverse()), of([rows[1]!, rows[0]!, rows[2]!]))).to.equal(null);
  });
});
