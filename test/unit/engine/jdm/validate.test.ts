import { expect } from 'chai';
import { diagnosticLine, subDecisionKeys, validate } from '../../../../workers/engine/index.js';
import { expressions, graph, input, output, resultOf, single, table, type NodeDraft } from '../../../support/engine.js';

const linesOf = (model: unknown, known: readonly string[] = []): string[] =>
  validate(model, { knows: (key) => known.includes(key) }).map(diagnosticLine);

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
    expect(linesOf(single({ id: 'd', type: 'decisionNode', content: { key: 'k' } }), ['k'])).to.deep.equal([]);
  });

  it('finds every fault at once, each with its place', () => {
    const diagnostics = validate(wrong, { knows: () => false });
    const locations = diagnostics.map(({ nodeId, field, code }) => `${nodeId ?? '-'} ${field ?? '-'} ${code}`);
    expect(locations.sort()).to.deep.equal(
      [
        ...['- edges[3].targetId model_invalid', 'c content.kind unknown_node_kind'],
        ...['d content.inputField syntax_error', 'd content.key decision_missing'],
        ...['e content.expressions[0].value syntax_error', 'e content.expressions[1].value unknown_function'],
        ...['in content.schema model_invalid', 'n content.expressions[0].value model_invalid'],
        ...['r content.hitPolicy model_invalid', 'r content.rules[0].o model_invalid'],
        ...['s edges[1].sourceHandle model_invalid', 's edges[2].sourceHandle model_invalid'],
        ...['s content.statements[0].condition syntax_error', 't content.inputs[1].field syntax_error'],
        ...['t content.rules[1].inputs[0] syntax_error', 't content.rules[1].outputs[0] syntax_error'],
      ].sort(),
    );
    const sum = diagnostics.find(({ nodeId }) => nodeId === 'e');
    expect(sum).to.include({ nodeName: 'Sums', label: 'expression a', source: '1 +' });
    expect(sum?.span).to.have.length(2);
    expect(diagnostics.find(({ code }) => code === 'unknown_function')?.hint).to.contain('len');
    for (const diagnostic of diagnostics) expect(diagnosticLine(diagnostic)).to.not.contain('\n');
  });

  it('points into the document, also where keys hold a stroke or a tilde', () => {
    const pointers = validate(wrong, { knows: () => false }).map(({ pointer }) => pointer);
    expect(pointers).to.include.members([
      ...['/edges/3/targetId', '/edges/1/sourceHandle', '/edges/2', '/nodes/0/content/schema'],
      ...['/nodes/1/content/expressions/0/value', '/nodes/2/content/inputs/1/field', '/nodes/2/content/rules/1/o0'],
      ...['/nodes/3/content/statements/0/condition', '/nodes/4/content/key', '/nodes/4/content/inputField'],
      ...['/nodes/5/content/kind', '/nodes/6/content/expressions/0/value', '/nodes/7/content/hitPolicy'],
    ]);
    for (const pointer of pointers) expect(pointer, 'every fault has one').to.be.a('string');
    const odd = { id: 't', type: 'decisionTableNode', content: { inputs: [], outputs: [], rules: [{ 'a/b~c': 5 }] } };
    expect(validate(single(odd), { knows: () => false })[0]?.pointer).to.equal('/nodes/1/content/rules/0/a~1b~0c');
  });

  it('says what is not known where its time is over, which is no error of the model', () => {
    const slow = expressions('e', { a: 'x', b: 'y', c: 'z' });
    const [diagnostic, ...others] = validate(single(slow), { knows: () => false, timeLimitMs: -1 });
    expect(others).to.deep.equal([]);
    expect(diagnostic).to.include({ code: 'timeout', nodeId: 'e', label: 'expression a', source: 'x' });
    expect(diagnostic?.severity).to.equal('unknown');
  });

  it('says so, too, where only the names of fields were not looked at any more', () => {
    // Without expressions and schemas, all that takes time is to follow the names.
    const [diagnostic, ...others] = validate(single(expressions('e', {})), { knows: () => false, timeLimitMs: -1 });
    expect(others).to.deep.equal([]);
    expect(diagnostic).to.include({ code: 'timeout', severity: 'unknown' });
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
      ...['expressionNode', 'decisionTableNode', 'switchNode', 'functionNode', 'decisionNode', 'customNode'],
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

describe('warnings', () => {
  const sw = (id: string, conditions: Readonly<Record<string, string>>): NodeDraft => ({
    id,
    type: 'switchNode',
    content: { statements: Object.entries(conditions).map(([key, condition]) => ({ id: key, condition })) },
  });
  const one = expressions('e', { x: '1' });
  const broken = expressions('b', { y: '1 +' });
  const straight = ['in>e', 'e>out'];
  const rows = (cells: Readonly<Record<string, string>>, more: object = {}): unknown =>
    single(table('t', { inputs: ['a'], outputs: ['x'] }, [cells, { o0: '2' }], more));
  /** What each model gives for `{a: 1}`, and where it is warned of. */
  const cases: Readonly<Record<string, { model: unknown; result: object; at: readonly string[] }>> = {
    'an edge out of a switch whose statement is gone': {
      model: graph(
        [input, sw('s', { yes: '' }), one, broken, output],
        ['in>s', 's:yes>e', 's:gone>b', 'e>out', 'b>out'],
      ),
      result: { x: 1 },
      at: ['/edges/2/sourceHandle', '/nodes/3', '/nodes/3/content/expressions/0/value'],
    },
    'an edge out of a switch that names no statement': {
      model: graph([input, sw('s', { yes: '' }), one, output], ['in>s', 's:yes>e', 's>out', 'e>out']),
      result: { x: 1 },
      at: ['/edges/2'],
    },
    'a switch without statements': {
      model: graph([input, sw('s', {}), broken, one, output], ['in>s', 's:a>b', 'b>out', 'in>e', 'e>out']),
      result: { x: 1 },
      at: ['/edges/1/sourceHandle', '/nodes/2', '/nodes/2/content/expressions/0/value'],
    },
    'a condition of a switch that does not compile': {
      model: graph([input, sw('s', { no: '(', yes: '' }), broken, one, output], ['in>s', 's:no>b', 's:yes>e', 'e>out']),
      result: { x: 1 },
      at: ['/nodes/1/content/statements/0/condition', '/nodes/2', '/nodes/2/content/expressions/0/value'],
    },
    'a node that nothing leads to, with a fault in it': {
      model: graph([input, one, broken, output], straight),
      result: { x: 1 },
      at: ['/nodes/2', '/nodes/2/content/expressions/0/value'],
    },
    'a sub-decision that is missing where no run gets': {
      model: graph([input, one, { id: 'd', type: 'decisionNode', content: { key: '' } }, output], straight),
      result: { x: 1 },
      at: ['/nodes/2', '/nodes/2/content/key'],
    },
    'what comes after the first output node': {
      model: graph([input, one, output, broken], [...straight, 'out>b']),
      result: {},
      at: ['/edges/2', '/nodes/3', '/nodes/3/content/expressions/0/value'],
    },
    'two nodes with one id: the last one counts': {
      model: graph([input, expressions('e', { x: '1 +' }), one, output], straight),
      result: { x: 1 },
      at: ['/nodes/2/id', '/nodes/1', '/nodes/1/content/expressions/0/value'],
    },
    'an edge that is there twice': {
      model: graph([input, one, output], [...straight, 'in>e']),
      result: { x: 1 },
      at: ['/edges/2'],
    },
    'a cell that does not compile': {
      model: rows({ i0: '> > 1', o0: '1' }),
      result: { x: 2 },
      at: ['/nodes/1/content/rules/0/i0'],
    },
    'an output cell that does not compile': {
      model: rows({ i0: '', o0: '1 +' }),
      result: { x: 2 },
      at: ['/nodes/1/content/rules/0/o0'],
    },
    'a column whose field does not compile': {
      model: rows({ i0: '1', o0: '1' }, { inputs: [{ id: 'i0', field: '1 +' }] }),
      result: { x: 2 },
      at: ['/nodes/1/content/inputs/0/field'],
    },
    'a test in a column without a field': {
      model: rows({ i0: "'a', 'b'", o0: '1' }, { inputs: [{ id: 'i0' }] }),
      result: { x: 2 },
      at: ['/nodes/1/content/rules/0/i0'],
    },
    'a table without rules': {
      model: single(table('t', { inputs: ['a'], outputs: ['x'] }, [])),
      result: {},
      at: ['/nodes/1/content/rules'],
    },
    'a JSON Schema that is no JSON': {
      model: graph([{ ...input, content: { schema: '{' } }, one, output], straight),
      result: { x: 1 },
      at: ['/nodes/0/content/schema'],
    },
  };
  for (const [title, { model, result, at }] of Object.entries(cases)) {
    it(`refuse nothing: ${title}`, () => {
      const diagnostics = validate(model, { knows: () => false });
      expect(diagnostics.filter(({ severity }) => severity !== 'warning')).to.deep.equal([]);
      expect(diagnostics.map(({ pointer }) => pointer).sort()).to.deep.equal([...at].sort());
      expect(resultOf(model, { a: 1 })).to.deep.equal(result);
    });
  }

  it('are not needed for positions, other fields, and empty names', () => {
    const model = {
      ...(graph([{ ...input, name: '' }, { ...one, name: '' }, output], straight) as object),
      settings: {},
      more: [1],
    };
    expect(validate(model, { knows: () => false })).to.deep.equal([]);
  });

  it('are none of what fails when a run comes by, nor of limits', () => {
    const severities = (model: unknown): unknown[] =>
      validate(model, { knows: () => false }).map(({ severity }) => severity);
    expect(severities(single(broken))).to.deep.equal([undefined]);
    expect(severities(rows({ i0: `${'('.repeat(400)}1${')'.repeat(400)}` }))).to.deep.equal([undefined]);
    const guarded = graph([input, sw('s', { yes: 'a > 1' }), broken, output], ['in>s', 's:yes>b', 'b>out']);
    expect(severities(guarded)).to.deep.equal([undefined]);
    const waited = graph([input, one, broken, output], [...straight, 'b>out']);
    expect(severities(waited), 'run because its child waits for it').to.deep.equal([undefined]);
  });
});
