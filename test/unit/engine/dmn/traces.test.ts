import { expect } from 'chai';
import { compileDmn, type Value } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const text = (source: string): string =>
  `<literalExpression><text>${source.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</text></literalExpression>`;
const decision = (id: string, logic: string, requires = ''): string =>
  `<decision id="${id}" name="${id}"><variable name="${id}"/>${requires}${logic}</decision>`;
const needs = (kind: 'Decision' | 'Knowledge', id: string): string =>
  kind === 'Decision'
    ? `<informationRequirement><requiredDecision href="#${id}"/></informationRequirement>`
    : `<knowledgeRequirement><requiredKnowledge href="#${id}"/></knowledgeRequirement>`;
const knowledge = (id: string, parameters: readonly string[], logic: string): string =>
  `<businessKnowledgeModel id="${id}" name="${id}"><variable name="${id}"/><encapsulatedLogic>` +
  `${parameters.map((name) => `<formalParameter name="${name}"/>`).join('')}${logic}</encapsulatedLogic></businessKnowledgeModel>`;
const invocation = (called: string, bindings: Readonly<Record<string, string>>): string =>
  `<invocation>${text(called)}${Object.entries(bindings)
    .map(([name, source]) => `<binding><parameter name="${name}"/>${text(source)}</binding>`)
    .join('')}</invocation>`;
const table =
  `<decisionTable hitPolicy="FIRST"><input><inputExpression><text>n</text></inputExpression></input><output name="o"/>` +
  `<rule id="low"><inputEntry><text>&lt; 5</text></inputEntry><outputEntry><text>"low"</text></outputEntry></rule>` +
  `<rule id="any"><inputEntry><text>-</text></inputEntry><outputEntry><text>"high"</text></outputEntry></rule></decisionTable>`;

/** What the trace of a run shows as the entries of each element's logic. */
function entriesOf(body: string): Record<string, Value> {
  const { program, diagnostics } = compileDmn(definitions(body));
  expect(diagnostics).to.deep.equal([]);
  const { trace = {} } = program.run({}, { trace: true, now: 0, deadline: Infinity, random: () => 0.5 });
  return Object.fromEntries(Object.values(trace).map(({ id, traceData }) => [id, traceData]));
}

describe('the trace of a document of DMN shows the entries of boxed expressions with their values:', () => {
  const boxes: readonly (readonly [kind: string, logic: string, entries: Value])[] = [
    ['a literal expression has none', text('1 + 1'), null],
    [
      'of a context each entry, and not the result',
      `<context><contextEntry><variable name="a b"/>${text('1')}</contextEntry><contextEntry><variable name="c"/>${text('a b + 1')}</contextEntry><contextEntry>${text('c')}</contextEntry></context>`,
      { 'a b': 1, c: 2 },
    ],
    [
      'of a relation its rows, by column',
      `<relation><column name="name"/><column name="age"/><row>${text('"Ann"')}${text('30 + 1')}</row><row>${text('"Bob"')}${text('date("2020-01-01")')}</row></relation>`,
      {
        rows: [
          { name: 'Ann', age: 31 },
          { name: 'Bob', age: '2020-01-01' },
        ],
      },
    ],
    ['of a list its items', `<list>${text('1')}${text('"b"')}</list>`, { items: [1, 'b'] }],
    [
      'of a conditional what was asked and the branch that was taken',
      `<conditional><if>${text('1 > 0')}</if><then>${text('"yes"')}</then><else>${text('"no"')}</else></conditional>`,
      { if: true, then: 'yes' },
    ],
    [
      'of a filter the list, and what the condition said of each item',
      `<filter><in>${text('[1, 2, 3]')}</in><match>${text('item > 1')}</match></filter>`,
      { in: [1, 2, 3], match: [false, true, true] },
    ],
    [
      'of a loop the list, and what it gave for each item',
      `<for iteratorVariable="x"><in>${text('[5]')}</in><return>${text('x * 2')}</return></for>`,
      { in: [5], return: [10] },
    ],
    [
      'of `some` each item until one decides',
      `<some iteratorVariable="x"><in>${text('[1, 2, 3]')}</in><satisfies>${text('x > 1')}</satisfies></some>`,
      { in: [1, 2, 3], satisfies: [false, true] },
    ],
    [
      'of `every`, too',
      `<every iteratorVariable="x"><in>${text('[1, 2]')}</in><satisfies>${text('x > 0')}</satisfies></every>`,
      { in: [1, 2], satisfies: [true, true] },
    ],
  ];
  for (const [kind, logic, entries] of boxes)
    it(kind, () => expect(entriesOf(decision('d', logic))).to.deep.equal({ d: entries }));

  it('of an invocation each parameter, beside the entries of the function that it calls', () => {
    const body = decision('d', invocation('Sorted', { n: '2 + 1', 'of what': '"x"' }), needs('Knowledge', 'Sorted'));
    expect(entriesOf(knowledge('Sorted', ['n', 'of what'], table) + body)).to.deep.equal({
      Sorted: { hitPolicy: 'FIRST', rules: [{ index: 0, id: 'low' }] },
      d: { n: 3, 'of what': 'x' },
    });
  });

  it('where a function ran several times, a list of what single runs have', () => {
    const rows = (cell: string): string => `<relation><column name="c"/><row>${text(cell)}</row></relation>`;
    const body = decision('d', text('[K(1), K(2), K(3)]'), needs('Knowledge', 'K'));
    expect(entriesOf(knowledge('K', ['n'], rows('n')) + body)).to.deep.equal({
      K: [{ rows: [{ c: 1 }] }, { rows: [{ c: 2 }] }, { rows: [{ c: 3 }] }],
      d: null,
    });
  });

  it('what the body of a function did is no entry of the element that calls it', () => {
    const made = decision('made', `<functionDefinition><formalParameter name="n"/>${table}</functionDefinition>`);
    const body = decision('d', text('made(9)'), needs('Decision', 'made'));
    expect(entriesOf(made + body)).to.deep.equal({ made: null, d: null });
  });

  it('boxes within boxes are values of their entries', () => {
    const inner = `<list>${text('1')}<conditional><if>${text('false')}</if><then>${text('2')}</then><else>${text('3')}</else></conditional></list>`;
    const logic = `<context><contextEntry><variable name="a"/>${inner}</contextEntry></context>`;
    expect(entriesOf(decision('d', logic))).to.deep.equal({ d: { a: [1, 3] } });
  });
});
