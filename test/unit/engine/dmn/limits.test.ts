import { expect } from 'chai';
import { compileDmn, defaultLimits } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const endless = 'count(for i in 1..1000000000 return i)';
const decision = (id: string, logic: string, requires = ''): string =>
  `<decision id="${id}" name="The ${id}"><variable name="${id}"/>${requires}${logic}</decision>`;
const literal = (text: string): string => `<literalExpression><text>${text}</text></literalExpression>`;

/** A run that a limit ends. */
function ended(body: string, limits = defaultLimits) {
  const { program } = compileDmn(definitions(body));
  const outcome = program.run({}, { trace: true, now: 0, deadline: Infinity, random: () => 0.5, limits });
  if (outcome.status !== 'FAILED') throw new Error('nothing ended it');
  return outcome;
}

describe('a run of a DMN document that a limit ends', () => {
  it('tells code, element and expression, in the outcome and in the trace', () => {
    const requires = '<informationRequirement><requiredDecision href="#a"/></informationRequirement>';
    const { error, message, trace } = ended(decision('a', literal('1')) + decision('b', literal(endless), requires));
    const place = '/definitions/decision[2]/literalExpression';
    expect(error).to.deep.include({ code: 'limit_array', nodeId: 'b', nodeName: 'The b', field: place });
    expect(error).to.deep.include({ source: endless, span: [0, endless.length] });
    expect(message).to.match(/^Node "The b", literal expression: a list has more than \d+ items$/);
    expect(trace?.['a']).to.deep.include({ output: 1 });
    const { code, message: said, field, span } = { ...trace?.['b']?.error };
    expect([code, field, span]).to.deep.equal(['limit_array', place, [0, endless.length]]);
    expect(said).to.match(/^a list has more than/);
    expect(trace?.['b']).to.deep.include({ input: { a: 1 }, output: null });
  });

  it('names the cell of a table, and the function that was called', () => {
    const table = (cells: string): string =>
      decision(
        'b',
        `<decisionTable><input><inputExpression><text>1</text></inputExpression></input><output name="o"/><rule>${cells}</rule></decisionTable>`,
      );
    const cell = (name: string, text: string): string => `<${name}><text>${text}</text></${name}>`;
    const input = ended(table(cell('inputEntry', `${endless} = ?`) + cell('outputEntry', '1')));
    expect(input.message).to.match(/^Node "The b", rule 1, input 1: /);
    const output = ended(table(cell('inputEntry', '-') + cell('outputEntry', endless)));
    expect(output.message).to.match(/^Node "The b", rule 1, output 1: /);
    const body =
      `<businessKnowledgeModel id="f" name="f"><variable name="f"/><encapsulatedLogic>${literal(endless)}</encapsulatedLogic></businessKnowledgeModel>` +
      decision('b', literal('f()'), '<knowledgeRequirement><requiredKnowledge href="#f"/></knowledgeRequirement>');
    const called = ended(body);
    expect(called.error.nodeId).to.equal('f');
    expect([called.trace?.['f']?.error?.code, called.trace?.['b']?.error?.code]).to.deep.equal([
      'limit_array',
      'limit_array',
    ]);
  });

  it('tells it of every limit, though nothing may be left to show values with', () => {
    const loop = 'count(for i in 1..3, j in 1..3, k in 1..30 return [i, j, k])';
    for (const [limit, value] of [
      ['steps', 200],
      ['iterations', 20],
      ['arrayLength', 20],
      ['madeItems', 20],
    ] as const) {
      const { error, trace } = ended(decision('b', literal(loop)), { ...defaultLimits, [limit]: value });
      expect(error.code, limit).to.match(/^limit_/);
      expect(trace?.['b']?.error?.code, limit).to.equal(error.code);
      expect(error.nodeId, limit).to.equal('b');
    }
  });
});
