import { expect } from 'chai';
import { exportTests, importTests } from '../../../workers/sheets/facts/tests.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';

const model = {
  nodes: [],
  edges: [],
  tests: [
    { name: 'a', input: { x: 999 }, output: {} },
    { name: 'b', input: { x: '1,5' }, output: {} },
  ],
};
const file = (...more: string[]): string => `${Buffer.from(exportTests(model, 'csv')).toString()}${more.join('')}`;
const imported = (text: string): ReturnType<typeof importTests> =>
  importTests(model, readCsv(Buffer.from(text), 'Tests'));

describe('numbers of tests in a sheet, as people of other countries write them', () => {
  for (const [row, told] of [
    [
      'c,"1.234,56",{}\n',
      'Tests!B4: "1.234,56" is a text beside numbers. Write 1234.56; a text has quotes in its cell.',
    ],
    ['c,10%,{}\n', 'Tests!B4: "10%" is a text beside numbers. Write 0.1; a text has quotes in its cell.'],
  ] as const)
    it(`are told beside numbers, and not taken for texts: ${row.trim()}`, () =>
      expect(imported(file(row)).faults).to.deep.equal([told]));

  it('are left alone in tests that come back as they went, and in columns without numbers', () => {
    expect(imported(file())).to.deep.include({ model, faults: [] });
    expect(imported(file('c,"""1,5""",{}\n', 'd,7.5,{}\n')).faults).to.deep.equal([]);
    expect(imported('name,input.y\na,"1,5"\n').faults).to.deep.equal([]);
  });

  it('are read where the model takes or gives a number, yes or no, whatever stands beside them, which is told', () => {
    const content = {
      inputs: [{ id: 'i', field: 'x' }],
      outputs: [{ id: 'o', field: 'r' }],
      rules: [{ i: '> 5', o: 'true' }],
    };
    const typed = {
      nodes: [
        { id: 'in', type: 'inputNode', name: 'In' },
        { id: 't', type: 'decisionTableNode', name: 'T', content: { hitPolicy: 'first', ...content } },
        { id: 'out', type: 'outputNode', name: 'Out' },
      ],
      edges: [
        { id: 'a', sourceId: 'in', targetId: 't' },
        { id: 'b', sourceId: 't', targetId: 'out' },
      ],
    };
    const { faults, notes } = importTests(
      typed,
      readCsv(Buffer.from('name,input.x,output.r,env.x\na,"1,5",ja,"1,5"\n'), 'Tests'),
    );
    expect([faults, notes.map(({ row, column }) => [row, column])]).to.deep.equal([
      [],
      [
        [1, 1],
        [1, 2],
      ],
    ]);
  });
});
