import { expect } from 'chai';
import { compileDmn, defaultLimits } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const text = (source: string): string => `<text>${source.replaceAll('<', '&lt;')}</text>`;

/** A decision that calls a business knowledge model `f`. */
const documentOf = (types: string, parameters: string, source: string): string =>
  definitions(`${types}
<businessKnowledgeModel id="b" name="f"><variable name="f"/><encapsulatedLogic>${parameters}<literalExpression>${text('1')}</literalExpression></encapsulatedLogic></businessKnowledgeModel>
<decision id="r" name="R"><variable name="R"/><knowledgeRequirement><requiredKnowledge href="#b"/></knowledgeRequirement><literalExpression>${text(source)}</literalExpression></decision>`);

const parameter = (name: string, type: string): string => `<formalParameter name="${name}" typeRef="${type}"/>`;
const itemOf = (name: string, result: string, parameters: readonly string[]): string =>
  `<itemDefinition name="${name}"><functionItem outputTypeRef="${result}">${parameters
    .map((type, at) => `<parameters name="p${at}" typeRef="${type}"/>`)
    .join('')}</functionItem></itemDefinition>`;

/** Types of functions that take and give functions of the one before: of each there are three times as many parts. */
const nested = (depth: number): string =>
  itemOf('t0', 'number', ['number']) +
  Array.from({ length: depth }, (_, at) => itemOf(`t${at + 1}`, `t${at}`, [`t${at}`, `t${at}`])).join('');
const twoOf = (type: string): string => parameter('p', type) + parameter('q', type);
const wide = itemOf(
  'tWide',
  'number',
  Array.from({ length: 500 }, () => 'number'),
);
const wideParameters = Array.from({ length: 500 }, (_, at) => parameter(`p${at}`, 'number')).join('');
const times = (source: string): string => `count(for i in 1..1000, j in 1..1000 return ${source})`;

/** The code of the error that ends it with so many steps. */
function endOf(xml: string, steps: number): string {
  const { program } = compileDmn(xml);
  const outcome = program.run(
    {},
    { trace: false, now: 0, random: () => 0, deadline: performance.now() + 5000, limits: { ...defaultLimits, steps } },
  );
  return outcome.status === 'FAILED' ? outcome.error.code : outcome.status;
}

describe('functions of DMN as values', () => {
  it('that are called a million times end by their limit, however they are called', () => {
    for (const source of ['(function(x) x)(i)', 'f(i)', 'f(p: i)', 'f(1, 2)', '(function(h) h(i))(f)'])
      expect(endOf(documentOf('', parameter('p', 'Any'), times(source)), 100_000), source).to.equal('limit_steps');
  });

  it('are held to types of functions for what that takes, however many parameters there are', () => {
    for (const source of ['f instance of tWide', '(function(h: tWide) 1)(f)'])
      expect(
        endOf(documentOf(wide, wideParameters, `count(for i in 1..1000 return ${source})`), 100_000),
        source,
      ).to.equal('limit_steps');
  });

  it('are held to types that take functions of functions by their limit, where there are millions of parts', () => {
    expect(endOf(documentOf(nested(2), twoOf('t1'), 'f instance of t2'), 100_000)).to.equal('COMPLETED');
    expect(endOf(documentOf(nested(12), twoOf('t11'), 'f instance of t12'), 100_000)).to.equal('limit_steps');
    expect(endOf(documentOf(nested(12), twoOf('t11'), '(function(h: t12) 1)(f)'), 100_000)).to.equal('limit_steps');
  });
});
