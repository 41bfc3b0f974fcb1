import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const one = '<literalExpression><text>1</text></literalExpression>';
const decided = (expression: string): string => definitions(`<decision id="x" name="X">${expression}</decision>`);
const rule = (inputs: number, outputs: number): string =>
  `<rule>${'<inputEntry><text>-</text></inputEntry>'.repeat(inputs)}${'<outputEntry><text>1</text></outputEntry>'.repeat(outputs)}</rule>`;
const input = '<input><inputExpression><text>1</text></inputExpression></input>';
const table = (outputs: string, rules: string): string =>
  decided(`<decisionTable>${input}${input}${outputs}${rules}</decisionTable>`);
const named = '<output name="a"/><output name="b"/>';
const relation = (cells: number): string =>
  decided(`<relation><column name="a"/><column name="b"/><row>${one.repeat(cells)}</row></relation>`);

const told = (xml: string): unknown[] =>
  compileDmn(xml).diagnostics.map(({ severity, nodeId, pointer, message, hint }) => [
    ...[severity, nodeId, pointer, message],
    ...[hint],
  ]);
const mend = 'Mend it in your modeler, and bring the document in again.';

describe('what of a document of DMN would be passed over', () => {
  const at = '/definitions/decision';
  const found: Readonly<Record<string, readonly [xml: string, pointer: string, message: string, hint?: string]>> = {
    'an element that DMN has in other letters': [
      decided(`${one}<literalexpression/>`),
      `${at}/literalexpression`,
      '`literalexpression` is no element of DMN, and is passed over.',
      'Did you mean `literalExpression`?',
    ],
    'an element that DMN has not': [
      decided(`${one}<somethingElse/>`),
      `${at}/somethingElse`,
      '`somethingElse` is no element of DMN, and is passed over.',
    ],
    'a second expression': [
      decided(one + one),
      `${at}/literalExpression[2]`,
      'Another expression stands before this one, which is passed over.',
    ],
    'a second text': [
      decided('<literalExpression><text>1</text><text>2</text></literalExpression>'),
      `${at}/literalExpression/text[2]`,
      'Another text stands before this one, which is passed over.',
    ],
    'no expression': [
      decided(''),
      at,
      'The decision has no expression: its value is null.',
      'Write its logic in your modeler.',
    ],
    'a rule with too few input cells': [
      table(named, rule(1, 2)),
      `${at}/decisionTable/rule`,
      'The rule has 1 input cell, and the table 2 inputs: each cell is under the next input, and those without one hold.',
    ],
    'a rule with too many output cells': [
      table(named, rule(2, 2) + rule(2, 3)),
      `${at}/decisionTable/rule[2]`,
      'The rule has 3 output cells, and the table 2 outputs: each cell is under the next output, and those without one are null.',
    ],
    'several outputs, of which one has no name': [
      table('<output name="a"/><output/>', rule(2, 2)),
      `${at}/decisionTable`,
      'The table has several outputs, and one of them has no name: a result has one of those alone.',
    ],
    'a row of a relation with too many cells': [
      relation(3),
      `${at}/relation/row`,
      'The row has 3 cells, and the relation 2 columns: each cell is under the next column, and those without one are null.',
    ],
    'an entry without a name before others': [
      decided(
        `<context><contextEntry>${one}</contextEntry><contextEntry><variable name="a"/>${one}</contextEntry></context>`,
      ),
      `${at}/context/contextEntry[1]`,
      'An entry without a name is the result of the context, and others stand behind it.',
    ],
  };
  for (const [what, [xml, pointer, message, hint = mend]] of Object.entries(found))
    it(`is told with its place: ${what}`, () =>
      expect(told(xml)).to.deep.equal([['warning', 'x', pointer, message, hint]]));

  it('is told of elements outside of decisions, too', () =>
    expect(told(definitions('<inputdata id="i" name="i"/>'))).to.deep.equal([
      [
        ...['warning', 'i', '/definitions/inputdata', '`inputdata` is no element of DMN, and is passed over.'],
        ...['Did you mean `inputData`?'],
      ],
    ]));

  it('is told of imports that are no documents of DMN, which nobody is asked for', () => {
    for (const [type, what] of [
      ['http://www.dmg.org/PMML-4_2', 'PMML'],
      ['http://www.w3.org/2001/XMLSchema', 'XML Schema or WSDL'],
    ] as const) {
      const xml = definitions(
        `<import id="m" name="model" namespace="model" locationURI="model.pmml" importType="${type}"/>` +
          `<decision id="x" name="X">${one}</decision>`,
      );
      const { diagnostics, imports } = compileDmn(xml);
      expect(imports).to.deep.equal([]);
      expect(diagnostics.map(({ severity, nodeId, message }) => [severity, nodeId, message])).to.deep.equal([
        ['warning', 'm', `The import is ${what}, which is not read here: functions and types of it are null.`],
      ]);
    }
  });

  it('is told of a thousand elements at most', () => {
    const odd = Array.from({ length: 20_000 }, (_, at) => `<inputdata${at}/>`).join('');
    expect(told(definitions(odd))).to.have.length(1000);
    expect(told(table('<output/>', rule(1, 1).repeat(5000)))).to.have.length(1000);
  });

  it('is nothing of what is as DMN has it, nor of extensions', () => {
    const lists = `<list>${one}${one}</list>`;
    const extended = `<extensionElements><own><text>1</text><text>2</text></own></extensionElements>${one}`;
    const result = `<context><contextEntry><variable name="a"/>${one}</contextEntry><contextEntry>${one}</contextEntry></context>`;
    const output = '<output/>';
    for (const xml of [decided(lists), decided(extended), decided(result), relation(2), table(output, rule(2, 1))])
      expect(told(xml)).to.deep.equal([]);
    expect(told(table('<output label="a"/><output name="b"/>', rule(2, 2)))).to.deep.equal([]);
  });
});
