import { expect } from 'chai';
import fc from 'fast-check';
import { expressions, graph, input, output, program, resultOf, type NodeDraft } from '../../../support/engine.js';
import { cases } from '../../../support/environment.js';

/** A graph of up to 9 nodes, each led to by some of those before it; a third of them switches on bits of the fact. */
const graphs = fc
  .array(
    fc.record({
      isSwitch: fc.nat(2),
      passes: fc.boolean(),
      from: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      way: fc.nat(2),
    }),
    {
      minLength: 3,
      maxLength: 9,
    },
  )
  .map((drafts) => {
    const nodes: NodeDraft[] = [input];
    const edges: string[] = [];
    drafts.forEach(({ isSwitch, passes, from, way }, index) => {
      const id = `n${index}`;
      for (const number of from) {
        const before = nodes[number % nodes.length] ?? input;
        edges.push(before.type === 'switchNode' ? `${before.id}:s${way}>${id}` : `${before.id}>${id}`);
      }
      const statements = [0, 1].map((bit) => ({ id: `s${bit}`, condition: `b${(index + bit) % 4}` }));
      const branch: NodeDraft = {
        id,
        type: 'switchNode',
        content: { hitPolicy: passes ? 'collect' : 'first', statements },
      };
      nodes.push(isSwitch === 0 ? branch : expressions(id, { [id]: '1', last: `'${id}'` }, { passThrough: passes }));
    });
    if (nodes.length % 2 === 0) {
      nodes.push(output);
      edges.push(`n${drafts.length - 1}>out`);
    }
    return graph(nodes, edges);
  });

const bits = fc.record({ b0: fc.boolean(), b1: fc.boolean(), b2: fc.boolean(), b3: fc.boolean() });

describe('remembered ways through a graph', () => {
  it('lead where a first walk leads, whatever ran before', () => {
    fc.assert(
      fc.property(graphs, fc.array(bits, { minLength: 6, maxLength: 12 }), (model, facts) => {
        const seasoned = program(model);
        for (const fact of facts) expect(resultOf(seasoned, fact)).to.deep.equal(resultOf(program(model), fact));
      }),
      { numRuns: cases(150) },
    );
  });

  it('are told apart, whatever the statements that lead there are called', () => {
    const ids = ['a', 'b', 'a,b', '=a', '["a","b"]', '"'];
    const statements = ids.map((id, at) => ({ id, condition: `on[${at}]` }));
    const model = graph(
      [
        input,
        { id: 'way', type: 'switchNode', content: { hitPolicy: 'collect', statements } },
        ...ids.map((_, at) => expressions(`n${at}`, { [`n${at}`]: 'true' })),
      ],
      ['in>way', ...ids.map((id, at) => `way:${id}>n${at}`)],
    );
    const seasoned = program(model);
    for (let chosen = 0; chosen < 2 ** ids.length; chosen++) {
      const on = ids.map((_, at) => (chosen & (2 ** at)) !== 0);
      const led = Object.fromEntries(on.flatMap((is, at) => (is ? [[`n${at}`, true]] : [])));
      expect(resultOf(seasoned, { on }), ids.filter((_, at) => on[at]).join(' and ')).to.deep.equal(led);
    }
  });
});
