import { expect } from 'chai';
import type { Model } from '../../../src/console/api/types.js';
import { changedPlaces, isOfFraction } from '../../../src/console/compare/changedRows.js';

const model = (rules: readonly object[], id = 't'): Model => ({
  nodes: [
    {
      ...{ id, type: 'decisionTableNode', name: 'Fees', position: { x: 0, y: 0 } },
      content: { inputs: [{ id: 'a', name: 'Age', field: 'age' }], outputs: [], rules },
    },
  ],
  edges: [],
});
const place = (when: string | null, fact: object = {}) => ({
  ...{ when, before: null, after: null },
  witness: { fact, input: fact, result: null },
});
const old = model([
  { _id: 'young', a: '< 18' },
  { _id: 'gone', a: '[18..20]' },
  { _id: 'rest', a: '' },
]);
const young = model([
  { _id: 'new', a: '> 90' },
  { _id: 'young', a: '< 21' },
  { _id: 'rest', a: '' },
]);
const versions = { before: old, after: young, inWords: (when: string) => when };
const rows = (before: readonly string[], after: readonly string[], regions: readonly number[]) => ({
  ...{ nodeId: 't', before: [...before], after: [...after], regions: [...regions] },
});

describe('places where versions give different results', () => {
  it('stand together by the rows that matched and match, the shortest first', () => {
    const regions = [place('age in [18..20] and more'), place('age < 3'), place('age > 90'), place('age = 1')];
    const found = changedPlaces(
      { regions, rows: [rows(['gone'], ['young'], [0, 1]), rows([], ['new'], [2]), rows(['young'], [], [3])] },
      versions,
    );
    expect(found).to.deep.equal([
      { row: 'row 2', instead: 'row 2', conditions: '< 21', places: [regions[1], regions[0]] },
      { row: 'row 1', instead: 'no row', conditions: '> 90', places: [regions[2]] },
      { row: 'no row', instead: 'row 1', conditions: '', places: [regions[3]] },
    ]);
  });

  it('name no other row where the same one matches, wherever it stands now', () => {
    const [line] = changedPlaces({ regions: [place('any input')], rows: [rows(['rest'], ['rest'], [0])] }, versions);
    expect(line).to.include({ row: 'row 3', instead: '', conditions: 'asks for nothing' });
  });

  it('are told by themselves where only a fact is known', () => {
    const regions = [place(null)];
    expect(changedPlaces({ regions, rows: [] }, versions)).to.deep.equal([
      { row: '', instead: '', conditions: '', places: regions },
    ]);
  });

  it('are of fractions where a column has whole numbers alone, whatever its field is called', () => {
    const column = { id: 'a', field: '$root["Trip km"]', _whole: true };
    expect(isOfFraction(place('', { 'Trip km': 20.5 }), [column])).to.equal(true);
    expect(isOfFraction(place('', { 'Trip km': 20 }), [column])).to.equal(false);
    expect(isOfFraction(place('', { 'Trip km': 20.5 }), [{ ...column, _whole: false }])).to.equal(false);
    expect(isOfFraction(place('', { age: 20.5 }), [{ id: 'a', field: 'age', _whole: true }])).to.equal(true);
  });
});
