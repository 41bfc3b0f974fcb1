import { expect } from 'chai';
import { faultLine, subDecisionKeys, validate } from '../../../../workers/engine/index.js';
import { expressions, graph, input, output, single, table } from '../../../support/engine.js';

const linesOf = (model: unknown, known: readonly string[] = []): string[] =>
  validate(model, { knows: (key) => known.includes(key) }).map(faultLine);

const wrong = {
  nodes: [
    { id: 'in', name: 'Request', type: 'inputNode', content: { schema: '{"type": "objekt"}' } },
    { ...expressions('e', { a: '1 +', b: 'lenn(x)', c: 'x' }), name: 'Sums' },
    table('t', { inputs: ['a', '1 +'], outputs: ['x'] }, [
      { i0: '> 5', o0: "'ok'" },
      { i0: '> > 5', i1: '1', o0: "'a" },
    ]),
    { id: 's', name: 'Way', type: 'switchNode', content: { statements: [{ id: 'one', condition: '(' }] } },
    { id: 'd', name: 'Sub', type: 'decisionNode', content: { key: 'gone.json', inputField: 'a b' } },
    { id: 'c', name: 'Own', type: 'customNode', content: { kind: 'sum' } },
    { id: 'n', name: 'Numbers', type: 'expressionNode', content: { expressions: [{ id: 1, key: 'k', value: 5 }] } },
    {
      id: 'r',
      name: 'Rows',
      type: 'decisionTableNode',
      content: { hitPolicy: 'last', inputs: [], outputs: [], rules: [{ o: 5 }] },
    },
  ],
  edges: [
    { id: '1', sourceId: 'in', targetId: 's' },
    { id: '2', sourceId: 's', targetId: 'e', sourceHandle: 'two' },
    { id: '3', sourceId: 's', targetId: 't' },
    { id: '4', sourceId: 'e', targetId: 'lost' },
  ],
};

describe('validation', () => {
  it('finds a cell without a field that is neither a condition nor a test', () => {
    const model = single(table('t', { inputs: [''], outputs: ['x'] }, [{ i0: "'a', 'b", o0: '1' }]));
    expect(linesOf(model)).to.have.length(1);
  });

  it('finds nothing in a good model', () => {
    expect(linesOf(single(expressions('e', { x: '1' })))).to.deep.equal([]);
    expect(linesOf(single(table('t', { inputs: [''], outputs: ['x'] }, [{ i0: "'a', 'b'", o0: '1' }])))).to.deep.equal(
      [],
    );
    expect(linesOf(single({ id: 'd', type: 'decisionNode', content: { key: 'k' } }), ['k'])).to.deep.equal([]);
  });

  it('finds every fault at once, each with its place', () => {
    const faults = validate(wrong, { knows: () => false });
    const places = faults.map(({ nodeId, field, code }) => `${nodeId ?? '-'} ${field ?? '-'} ${code}`);
    expect(places.sort()).to.deep.equal(
      [
        '- edges[3].targetId model_invalid',
        'c content.kind unknown_node_kind',
        'd content.inputField syntax_error',
        'd content.key decision_missing',
        'e content.expressions[0].value syntax_error',
        'e content.expressions[1].value unknown_function',
        'in content.schema model_invalid',
        'n content.expressions[0].value model_invalid',
        'r content.hitPolicy model_invalid',
        'r content.rules[0].o model_invalid',
        's - model_invalid',
        's - model_invalid',
        's content.statements[0].condition syntax_error',
        't content.inputs[1].field syntax_error',
        't content.rules[1].inputs[0] syntax_error',
        't content.rules[1].outputs[0] syntax_error',
      ].sort(),
    );
    const sum = faults.find(({ nodeId }) => nodeId === 'e');
    expect(sum).to.include({ nodeName: 'Sums', label: 'expression a', source: '1 +' });
    expect(sum?.span).to.have.length(2);
    expect(faults.find(({ code }) => code === 'unknown_function')?.hint).to.contain('len');
    for (const fault of faults) expect(faultLine(fault)).to.not.contain('\n');
  });

  it('never throws, whatever the document', () => {
    const documents: unknown[] = [
      null,
      1,
      'x',
      [],
      {},
      { nodes: [null, 1, {}, { id: 5 }], edges: [null, {}, { sourceId: 1 }] },
    ];
    documents.push({ nodes: [{ id: 'a', type: 'inputNode', content: 5 }], edges: 5 });
    for (const type of [
      'expressionNode',
      'decisionTableNode',
      'switchNode',
      'functionNode',
      'decisionNode',
      'customNode',
      'outputNode',
    ]) {
      for (const content of [
        undefined,
        null,
        5,
        [],
        {},
        { expressions: 5, rules: [5], inputs: [null], outputs: {}, statements: [{}], key: 5, schema: 5 },
      ]) {
        documents.push({
          nodes: [
            { id: 'in', type: 'inputNode' },
            { id: 'a', type, content },
          ],
          edges: [],
        });
      }
    }
    for (const document of documents)
      expect(validate(document, { knows: () => false }), JSON.stringify(document)).to.be.an('array');
  });

  it('refuses policy documents with a clear message', () => {
    expect(linesOf({ blocks: [], imports: [] })).to.deep.equal([
      'This is a "policy" document (it has `blocks`); only decision graphs (`nodes` and `edges`) run here.',
    ]);
  });

  it('names the decisions that a model needs, each once', () => {
    const sub = (id: string, key: string) => ({ id, type: 'decisionNode', content: { key } });
    expect(subDecisionKeys(graph([input, sub('a', 'x'), sub('b', 'y'), sub('c', 'x'), output], []))).to.deep.equal([
      'x',
      'y',
    ]);
    expect(subDecisionKeys(null)).to.deep.equal([]);
  });
});
