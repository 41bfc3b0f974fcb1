import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const decision = (logic: string, more = ''): string =>
  `<decision id="d" name="d"><variable name="d"/>${more}${logic}</decision>`;
const literal = (text: string, attributes = ''): string =>
  `<literalExpression${attributes}><text>${escaped(text)}</text></literalExpression>`;
const table = (policy: string): string =>
  decision(
    `<decisionTable ${policy}><output name="o"/><rule><outputEntry><text>1</text></outputEntry></rule></decisionTable>`,
  );
const input = '<inputData id="s" name="Season"><variable name="Season" typeRef="string"/></inputData>';
const requires = '<informationRequirement><requiredInput href="#s"/></informationRequirement>';

const hintsIn = (body: string): (string | undefined)[] =>
  compileDmn(definitions(body)).diagnostics.map(({ hint }) => hint);

describe('every fault of a DMN document says what to do about it', () => {
  it('in an expression, as FEEL has it', () => {
    const expressions: Readonly<Record<string, string>> = {
      "if Season = 'Spring' then 1 else 2": 'Write if Season = "Spring" then 1 else 2.',
      '${Season} == "Spring"': 'Write Season = "Spring".',
      '#{Season}': 'Write Season.',
      'Season = "A" && Season = "B"': 'Write Season = "A" and Season = "B".',
      'Season <> "A"': 'Write Season != "A".',
      'if TRUE then 1 else 2': 'Write if true then 1 else 2.',
      '“Spring”': 'Write "Spring".',
      'Saeson = "A"': 'Did you mean Season?',
      'uper case("a")': 'Did you mean upper case?',
      'Nothing + 1': 'Declare it as input data that this decision requires, or write a text in quotes.',
      '(1 + 2': 'Is a bracket, a quote or a value missing at its end?',
      'Season > 5': 'Compare values of one kind: `number("5")` is the number of a text.',
      '@"2026-13-01"': 'Write it as @"2026-01-31", @"18:00:00", @"2026-01-31T18:00:00", @"P1DT2H" or @"P1Y6M".',
      '[5..1]': 'Write [1..5].',
      '1 +\n  2 *\n  )': 'What FEEL knows stands in the guide at `/docs/dmn`.',
      'Season = "a  b"  &&  1 = 1': 'Write Season = "a  b" and 1 = 1.',
      '1 ? 2': 'What FEEL knows stands in the guide at `/docs/dmn`.',
    };
    for (const [text, hint] of Object.entries(expressions))
      expect(hintsIn(input + decision(literal(text), requires)), text).to.include(hint);
  });

  it('in an expression of so many operators that the parser gives up, which is told as such', () => {
    const chains = [
      Array.from({ length: 400 }, (_, at) => `Season = "${at}"`).join(' or '),
      `${Array.from({ length: 900 }, (_, at) => `if Season = "${at}" then ${at} else `).join('')}0`,
      Array.from({ length: 1000 }, () => 'Season').join(' + '),
    ];
    for (const text of chains) {
      const { diagnostics } = compileDmn(definitions(input + decision(literal(text), requires)));
      expect(diagnostics.map(({ message, hint }) => [message, hint])).to.deep.equal([
        [
          'An expression is nested too deep, or has too many operators in a row.',
          'Write `x in (1, 2, 3)` for `x = 1 or x = 2 or x = 3`, or make a table.',
        ],
      ]);
    }
  });

  it('in what is no expression', () => {
    const policies = 'It is one of UNIQUE, ANY, PRIORITY, FIRST, RULE ORDER, OUTPUT ORDER, COLLECT.';
    const bodies: readonly (readonly [body: string, hint: string])[] = [
      [table('hitPolicy="UNIQ"'), policies],
      [table('hitPolicy="COLLECT" aggregation="AVG"'), 'It is one of SUM, MIN, MAX, COUNT.'],
      [
        decision(literal('1', ' expressionLanguage="juel"')),
        'Write it in FEEL, and leave the attribute `expressionLanguage` out.',
      ],
      [
        decision('<unknownBox/>' + literal('1'), requires),
        'Let `href` name the id of an element of the document, or of one that it imports.',
      ],
    ];
    for (const [body, hint] of bodies) expect(hintsIn(body), body).to.include(hint);
  });

  it('whatever it is', () => {
    const bodies = [
      '<import name="o" namespace="https://example.com/o" importType="x"/>',
      '<itemDefinition name="a"><typeRef>b</typeRef></itemDefinition><itemDefinition name="b"><typeRef>a</typeRef></itemDefinition>',
      `${input}${input}${decision(literal('1'))}${decision(literal('1'))}`,
      '<inputData id="x" name="x"><variable name="x" typeRef="nothing"/></inputData>',
      decision(literal('d'), '<informationRequirement><requiredDecision href="#d"/></informationRequirement>'),
      decision('<invocation/>'),
      decision('<conditional/>'),
      decision(literal('function(a) external {java: {class: "a", method signature: "b"}}')),
      decision(literal('1 instance of nothing')),
      decision(literal('{a: 1, a: 2}')),
      decision(literal('1', ' typeRef="nothing"')),
    ];
    for (const body of bodies) {
      const hints = hintsIn(body);
      expect(hints, body).to.not.deep.equal([]);
      expect(
        hints.every((hint) => hint !== undefined && hint !== ''),
        body,
      ).to.equal(true);
    }
  });
});
