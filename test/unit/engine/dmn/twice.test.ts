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

  const box = (name: string, value: string): string =>
    `<contextEntry><variable name="${name}"/><literalExpression><text>${value}</text></literalExpression></contextEntry>`;
  const entry = (value: string): string =>
    `<contextEntry><literalExpression><text>${value}</text></literalExpression></contextEntry>`;
  const decided = (expression: string): string =>
    `<decision id="x" name="X"><variable name="X"/>${expression}</decision>`;
  const parameters = '<formalParameter name="a"/><formalParameter name="a"/><formalParameter name="b"/>';
  const told: Readonly<Record<string, readonly [body: string, message: string]>> = {
    'input data': [
      '<inputData id="i" name="Age"><variable name="Age"/></inputData><inputData id="j" name="Age"><variable name="Age"/></inputData>',
      'Another input before it is called "Age", too: both are given the one "Age" that a fact has.',
    ],
    'business knowledge models, whose names differ in blanks alone': [
      '<businessKnowledgeModel id="i" name="Late fee"/><businessKnowledgeModel id="j" name="Late  fee"/>',
      'Another business knowledge model before it is called "Late  fee", too: that name finds one of them alone.',
    ],
    'decision services': [
      '<decisionService id="i" name="Serve"/><decisionService id="j" name="Serve"/>',
      'Another decision service before it is called "Serve", too: that name finds one of them alone.',
    ],
    'item definitions': [
      '<itemDefinition name="tAge"><typeRef>number</typeRef></itemDefinition><itemDefinition name="tAge"><typeRef>string</typeRef></itemDefinition>',
      'Another item definition before it is called "tAge", too: the type of that name is this one.',
    ],
    'components of a type': [
      `<itemDefinition name="tP">${'<itemComponent name="age"><typeRef>number</typeRef></itemComponent>'.repeat(2)}</itemDefinition>`,
      'Another component before it is called "age", too: the type of that member is this one.',
    ],
    'entries of a context': [
      decided(`<context>${box('a', '1')}${box('a', '2')}${box('b', '3')}</context>`),
      'Another entry before it is called "a", too: the context has the value of this one alone.',
    ],
    'parameters of a function': [
      decided(
        `<functionDefinition>${parameters}<literalExpression><text>a</text></literalExpression></functionDefinition>`,
      ),
      'Another parameter before it is called "a", too: the body finds the value of this one alone.',
    ],
    'columns of a relation': [
      decided('<relation><column name="a"/><column name="a"/></relation>'),
      'Another column before it is called "a", too: rows have the value of this one alone.',
    ],
    'outputs of a table': [
      decided('<decisionTable><output name="a"/><output name="a"/></decisionTable>'),
      'Another output before it is called "a", too: results have the value of this one alone.',
    ],
  };
  for (const [what, [body, message]] of Object.entries(told))
    it(`is told of a name of ${what} when the document is checked`, () => {
      const { diagnostics } = compileDmn(definitions(body));
      expect(diagnostics.map(({ severity, message: said }) => [severity, said])).to.deep.equal([['warning', message]]);
      expect(diagnostics[0]).to.include({ code: 'model_invalid', hint: 'Give each its own in your modeler.' });
    });

  const values: Readonly<Record<string, readonly [expression: string, value: unknown]>> = {
    'a context': [`<context>${box('a', '1')}${box('a', '2')}${box('b', '3')}${entry('[a, b]')}</context>`, [2, 3]],
    'a function': [`<context>${box('f', 'function(a, a, b) [a, b]')}${entry('f(1, 2, 3)')}</context>`, [2, 3]],
    'a context in FEEL': [
      `<literalExpression><text>{a-b: 1, a - b: 2, c: 3, d: [a-b, c]}.d</text></literalExpression>`,
      [2, 3],
    ],
    'a loop': [
      '<literalExpression><text>for a in [1], a in [2], b in [3] return [a, b]</text></literalExpression>',
      [[2, 3]],
    ],
  };
  for (const [where, [expression, value]] of Object.entries(values))
    it(`leaves what is called otherwise as it is, in ${where}`, () => {
      const [, status, result] = tellsAndGives(decided(expression)) as unknown[];
      expect([status, result]).to.deep.equal(['COMPLETED', { X: value }]);
    });

  it('is nothing where a service, a function or an input has the name of a decision', () => {
    const body = `<inputData id="i" name="Fee"><variable name="Fee"/></inputData>${literal('a', 'Fee', '1')}`;
    expect(tellsAndGives(body)).to.deep.equal([[], 'COMPLETED', { Fee: 1 }]);
  });
});
