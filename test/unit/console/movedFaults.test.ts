import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { movedFaults, movedRows } from '../../../src/console/model/movedFaults.js';
import { graph, input, output, table } from '../../support/engine.js';

type Rows = readonly Readonly<Record<string, string>>[];

const rows: Rows = ['a', 'b', 'c'].map((_id, at) => ({ _id, i0: `> ${at}`, o0: `${at}` }));
const modelOf = (rules: Rows, before: readonly string[] = []): Model =>
  graph(
    [
      input,
      ...before.map((id) => ({ id, type: 'functionNode' })),
      table('t', { inputs: ['x'], outputs: ['y'] }, rules),
      output,
    ],
    [],
  ) as Model;

const fault = (pointer: string | null, field: string | null = null): Fault => ({
  ...{ severity: 'warning', key: 'k', nodeId: 't', node: 't', field, pointer },
  ...{ message: 'm', hint: null, line: null, column: null, excerpt: null },
});
const at = (node: number, row: number, column = 'i0'): string => `/nodes/${node}/content/rules/${row}/${column}`;

describe('faults of a model that is changed', () => {
  const placesIn = (to: Model, pointers: readonly (string | null)[]): unknown =>
    movedFaults(
      pointers.map((pointer) => fault(pointer)),
      modelOf(rows),
      to,
    ).map(({ pointer }) => pointer);

  it('go with their rows, wherever these stand', () => {
    const cells = [at(1, 0), at(1, 2, 'o0'), at(1, 2)];
    expect(placesIn(modelOf(rows.toReversed()), cells)).to.deep.equal([at(1, 2), at(1, 0, 'o0'), at(1, 0)]);
    expect(placesIn(modelOf(rows.slice(1)), cells)).to.deep.equal([at(1, 1, 'o0'), at(1, 1)]);
  });

  it('and are called by the row that it is now, also behind a cell of their file', () => {
    const found = ['rule 3, input A', 'Fees!D7, rule 3, input A'].map((field) => fault(at(1, 2), field));
    const moved = movedFaults(found, modelOf(rows), modelOf(rows.slice(1)));
    expect(moved.map(({ field }) => field)).to.deep.equal(['rule 2, input A', 'Fees!D7, rule 2, input A']);
  });

  it('and with their nodes', () => {
    const places = [at(1, 0), '/nodes/1', '/nodes/1/content/inputs/0', '/nodes/2', '/edges/1', null];
    const moved = [at(2, 0), '/nodes/2', '/nodes/2/content/inputs/0', '/nodes/3', '/edges/1', null];
    expect(placesIn(modelOf(rows, ['f']), places)).to.deep.equal(moved);
    expect(placesIn({ nodes: [], edges: [] }, places)).to.deep.equal(['/edges/1', null]);
  });

  it('and are gone where their cell has another text, and not where another cell has', () => {
    const changed = modelOf(rows.with(0, { ...rows[0], i0: '< 18' }));
    expect(placesIn(changed, [at(1, 0), at(1, 0, 'o0'), at(1, 1)])).to.deep.equal([at(1, 0, 'o0'), at(1, 1)]);
  });

  it('and are called by the number of their row', () => {
    const [found] = movedFaults([fault(at(1, 2), 'rule 3, input x')], modelOf(rows), modelOf(rows.toReversed()));
    expect(found?.field).to.equal('rule 1, input x');
  });

  it('stay the same objects where nothing moved', () => {
    const one = [fault(at(1, 0), 'rule 1, input x')];
    expect(movedFaults(one, modelOf(rows), modelOf(rows.with(1, { ...rows[1], o0: '9' })))[0]).to.equal(one[0]);
  });

  it('and so does a row that a run has matched', () => {
    const contentOf = (rules: Rows): unknown => modelOf(rules).nodes[1]?.content;
    const moved = (to: Rows): readonly number[] => [...movedRows(new Set([0, 2]), contentOf(rows), contentOf(to))];
    expect(moved([rows[2]!, rows[1]!, rows[0]!])).to.deep.equal([2, 0]);
    expect(moved(rows.slice(1))).to.deep.equal([1]);
  });
});
