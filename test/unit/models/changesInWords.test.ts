import { expect } from 'chai';
import { changesInWords } from '../../../workers/models/narrate/changesInWords.js';
import { definitions } from '../../support/dmn.js';

describe('changes in words', () => {
  const model = (rules: readonly object[], expression = 'a + 1'): Uint8Array => {
    const content = {
      hitPolicy: 'first',
      inputs: [{ id: 'i', name: 'Score', field: 's' }],
      outputs: [{ id: 'o', name: '', field: 'rate' }],
      rules,
    };
    const nodes = [
      { id: 't', name: 'Rates', type: 'decisionTableNode', content },
      {
        id: 'e',
        name: 'Sum',
        type: 'expressionNode',
        content: { expressions: [{ id: 'x', key: 'k', value: expression }] },
      },
    ];
    return new TextEncoder().encode(JSON.stringify({ nodes, edges: [] }));
  };

  it('name tables, rows and columns as people do', () => {
    const from = model([
      { _id: '1', i: '> 5', o: '1' },
      { _id: '2', i: '', o: '2' },
    ]);
    const to = model(
      [
        { _id: '1', i: '> 6', o: '1' },
        { _id: '2', i: '', o: '2' },
        { _id: '3', i: '< 1', o: '9' },
      ],
      'a + 2',
    );
    const { changes, left } = changesInWords({ kind: 'changesInWords', from, to });
    expect(left).to.equal(0);
    expect(changes.find(({ node }) => node === 'Rates')?.sentences).to.deep.equal([
      'row 1 (> 6): Score > 5 → > 6',
      'row 3 was added: Score < 1, rate 9',
    ]);
    const moved = model([
      { _id: '2', i: '', o: '3' },
      { _id: '1', i: '> 5', o: '1' },
    ]);
    expect(changesInWords({ kind: 'changesInWords', from, to: moved }).changes[0]?.sentences).to.deep.equal([
      'row 1 (asks for nothing; row 2 before): rate 2 → 3',
    ]);
    expect(changes.map(({ node, cells }) => [node, cells])).to.deep.include.members([
      ['Rates', 1],
      ['Sum', 0],
    ]);
    expect(changes.find(({ node }) => node === 'Sum')?.sentences.join()).to.include('“a + 1” → “a + 2”');
  });

  it('say what a row asks for, which was changed or moved, as the screen does', () => {
    const rows = ['[25..45]', '"car"', `> ${'9'.repeat(100)}`].map((i, at) => ({ _id: String(at), i, o: '1' }));
    const changed = model(rows.map((row) => ({ ...row, o: '2' })));
    const told = (to: Uint8Array) =>
      changesInWords({ kind: 'changesInWords', from: model(rows), to }).changes[0]?.sentences;
    expect(told(changed)).to.deep.equal([
      'row 1 (25–45): rate 1 → 2',
      'row 2 (car): rate 1 → 2',
      `row 3 (> ${'9'.repeat(78)}…): rate 1 → 2`,
    ]);
    expect(told(model([rows[1], rows[0], rows[2]] as object[]))).to.have.length(1);
    expect(told(model([rows[1], rows[0], rows[2]] as object[]))?.join()).to.match(
      /^row [12] \((25–45|car)\) is row [12] now$/,
    );
  });

  it('tell tests by their names, and how many there are of each, never as JSON', () => {
    const tested = (tests: readonly object[]): Uint8Array =>
      new TextEncoder().encode(JSON.stringify({ nodes: [], edges: [], tests }));
    const test = (name: string, rate: number): object => ({ name, input: { a: 1 }, output: { rate } });
    const from = tested([test('Dog', 1), test('Cat', 1), test('Cow', 1), { input: { a: 2 } }]);
    const to = tested([test('Cow', 1), test('Dog', 2), test('Cat', 2), test('Bird', 1)]);
    const told = changesInWords({ kind: 'changesInWords', from, to });
    expect(told.changes).to.deep.equal([
      {
        node: 'The model',
        sentences: ['2 tests changed: “Dog”, “Cat”', '1 test was added: “Bird”', '1 test was removed: “test 4”'],
        cells: 0,
      },
    ]);
    const many = tested(Array.from({ length: 30 }, (_, at) => test(`t${at}`, 1)));
    const { changes } = changesInWords({ kind: 'changesInWords', from: tested([]), to: many });
    expect(changes[0]?.sentences).to.deep.equal([
      `30 tests were added: ${Array.from({ length: 20 }, (_, at) => `“t${at}”`).join(', ')} and 10 more`,
    ]);
    const turned = tested([test('Cat', 1), test('Dog', 1), test('Cow', 1), { input: { a: 2 } }]);
    expect(changesInWords({ kind: 'changesInWords', from, to: turned }).changes).to.deep.equal([
      { node: 'The model', sentences: ['the order of the tests is another one'], cells: 0 },
    ]);
  });

  it('are no longer than a page, however long cells are', () => {
    const rows = Array.from({ length: 200 }, (_, at) => ({ _id: String(at), i: `> ${'5'.repeat(20_000)}`, o: '1' }));
    const { changes, left } = changesInWords({ kind: 'changesInWords', from: model([]), to: model(rows) });
    const { sentences = [] } = changes.find(({ node }) => node === 'Rates') ?? {};
    expect([sentences.length, left]).to.deep.equal([100, 100]);
    expect(sentences[0]).to.have.length(2001);
  });

  it('name tables of DMN as people do, not by ids of elements', () => {
    const document = (entry: string): Uint8Array => {
      const rule = `<rule id="r"><inputEntry><text>${entry}</text></inputEntry><outputEntry><text>1</text></outputEntry></rule>`;
      const input = '<input><inputExpression><text>age</text></inputExpression></input>';
      const table = `<decisionTable>${input}<output name="fee"/>${rule}</decisionTable>`;
      const xml = definitions(`<decision id="_4f6c" name="Entry fee"><variable name="Entry fee"/>${table}</decision>`);
      return new TextEncoder().encode(JSON.stringify({ contentType: 'application/dmn+xml', xml }));
    };
    const { changes } = changesInWords({ kind: 'changesInWords', from: document('18'), to: document('19') });
    expect(changes).to.deep.equal([{ node: 'Entry fee', sentences: ['row 1: age 18 → 19'], cells: 1 }]);
  });
});
