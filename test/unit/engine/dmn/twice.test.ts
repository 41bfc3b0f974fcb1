import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const literal = (id: string, name: string, text: string): string =>
  `<decision id="${id}" name="${name}"><variable name="${name}"/><literalExpression><text>${text}</text></literalExpression></decision>`;

function tellsAndGives(body: string, select?: readonly string[]): unknown {
  const { program, diagnostics } = compileDmn(definitions(body));
  const options = { trace: false, now: 0, deadline: Infinity, random: () => 0.5, ...(select && { select }) };
  const outcome = program.run({}, options);
  return [
    diagnostics.map(({ severity, message }) => [severity, message]),
    outcome.status,
    'result' in outcome && outcome.result,
  ];
}

describe('what stands twice in a document of DMN', () => {
  it('is told of a name of decisions, whose value is that of the last, whether all or one is asked for', () => {
    const body = literal('a', 'Fee', '1') + literal('b', 'Fee', '2');
    const message = 'Another decision before it is called "Fee", too: results have the value of this one alone.';
    for (const select of [undefined, ['Fee']])
      expect(tellsAndGives(body, select)).to.deep.equal([[['warning', message]], 'COMPLETED', { Fee: 2 }]);
  });

  it('is told of an id, which names the last element', () => {
    const body = literal('a', 'Fee', '1') + literal('a', 'Rate', '2');
    const message = 'The id "a" stands twice: what refers to it finds this element, and not "Fee".';
    expect(tellsAndGives(body)).to.deep.equal([[['warning', message]], 'COMPLETED', { Rate: 2 }]);
  });

  it('is nothing where a service, a function or an input has the name of a decision', () => {
    const body = `<inputData id="i" name="Fee"><variable name="Fee"/></inputData>${literal('a', 'Fee', '1')}`;
    expect(tellsAndGives(body)).to.deep.equal([[], 'COMPLETED', { Fee: 1 }]);
  });
});
