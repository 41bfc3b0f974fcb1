import { expect } from 'chai';
import { compileDmn, type Value } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

/** What public documents of modelers taught: each of these was read wrongly, or not at all. */
const v11 = 'http://www.omg.org/spec/DMN/20151101/dmn.xsd';
const document = (body: string, { attributes = '', xmlns = v11 } = {}): string =>
  `<definitions xmlns="${xmlns}" id="d" name="D" namespace="https://example.com/own" ${attributes}>${body}</definitions>`;
const literal = (text: string, language?: string): string =>
  `<literalExpression${language === undefined ? '' : ` expressionLanguage="${language}"`}><text>${text}</text></literalExpression>`;
const decision = (logic: string, requires = ''): string =>
  `<decision id="a" name="a"><variable name="a"/>${requires}${logic}</decision>`;

function answerOf(
  xml: string,
  fact: Value = {},
): { readonly told: readonly string[]; readonly value: Value | undefined } {
  const { program, diagnostics } = compileDmn(xml);
  const outcome = program.run(fact, { trace: false, now: 0, deadline: Infinity, random: () => 0.5, select: ['a'] });
  if (outcome.status === 'FAILED') throw new Error(outcome.message);
  const { a } = outcome.result as Record<string, Value>;
  return { told: [...diagnostics, ...outcome.warnings].map(({ message }) => message), value: a };
}

describe('documents as modelers write them', () => {
  it('FEEL is FEEL by each of its names, and no other language is', () => {
    const names = [
      '',
      'feel',
      'FEEL',
      'http://www.omg.org/spec/FEEL/20140401',
      'https://www.omg.org/spec/DMN/20230324/FEEL/',
      'S-FEEL',
      'http://www.omg.org/spec/DMN/20180521/S-FEEL/',
    ];
    for (const name of names)
      expect(answerOf(document(decision(literal('1 + 1', name)))), name).to.deep.equal({ told: [], value: 2 });
    for (const name of ['juel', 'https://www.omg.org/spec/DMN/20240513/B-FEEL/', 'http://www.w3.org/1999/XPath'])
      expect(answerOf(document(decision(literal('1 + 1', name)))).value, name).to.equal(null);
  });

  it('the language of a whole document counts where an expression has none of its own', () => {
    const table =
      '<decisionTable hitPolicy="FIRST"><input><inputExpression><text>1</text></inputExpression></input><output name="a"/>' +
      '<rule><inputEntry><text>1</text></inputEntry><outputEntry><text>5</text></outputEntry></rule></decisionTable>';
    const juel = { attributes: 'expressionLanguage="juel"' };
    for (const logic of [literal('1 + 1'), table]) {
      const { told, value } = answerOf(document(decision(logic), juel));
      expect(value).to.equal(null);
      expect(told).to.include('Expressions of `juel` are not run here.');
    }
    expect(answerOf(document(decision(literal('1 + 1', 'feel')), juel))).to.deep.equal({ told: [], value: 2 });
    const feel = { attributes: 'expressionLanguage="http://www.omg.org/spec/FEEL/20140401"' };
    expect(answerOf(document(decision(table), feel))).to.deep.equal({ told: [], value: 5 });
  });

  it('a type’s prefix may be declared by any element', () => {
    const body =
      '<itemDefinition name="score"><typeRef xmlns:f="http://www.omg.org/spec/FEEL/20140401">f:number</typeRef></itemDefinition>' +
      '<inputData id="s" name="s"><variable name="s" xmlns:own="https://example.com/own" typeRef="own:score"/></inputData>';
    const requires = '<informationRequirement><requiredInput href="#s"/></informationRequirement>';
    const xml = document(body + decision(literal('s + 1'), requires));
    expect(answerOf(xml, { s: 2 })).to.deep.equal({ told: [], value: 3 });
    expect(compileDmn(xml).inputs[0]?.type).to.deep.equal({ kind: 'number', name: 'score' });
  });

  it('what an element requires is known by its own name, too, where its variable has another one', () => {
    const others =
      '<inputData id="s" name="score"><variable name="Score" typeRef="number"/></inputData>' +
      `<decision id="b" name="twice"><variable name="Twice"/><informationRequirement><requiredInput href="#s"/></informationRequirement>${literal('Score * 2')}</decision>`;
    const requires =
      '<informationRequirement><requiredInput href="#s"/></informationRequirement>' +
      '<informationRequirement><requiredDecision href="#b"/></informationRequirement>';
    for (const text of ['score + twice', 'Score + Twice'])
      expect(answerOf(document(others + decision(literal(text), requires)), { score: 2 })).to.deep.equal({
        told: [],
        value: 6,
      });
    const swapped =
      '<inputData id="x" name="n"><variable name="m"/></inputData><inputData id="y" name="m"><variable name="n"/></inputData>';
    const both =
      '<informationRequirement><requiredInput href="#x"/></informationRequirement>' +
      '<informationRequirement><requiredInput href="#y"/></informationRequirement>';
    const { value } = answerOf(document(swapped + decision(literal('m - n'), both)), { n: 5, m: 3 });
    expect(value, 'a variable’s name goes first').to.equal(2);
  });

  it('a function of the language is called where an input that is none has its name', () => {
    const input = '<inputData id="i" name="count"><variable name="count" typeRef="number"/></inputData>';
    const date = '<inputData id="j" name="date"><variable name="date" typeRef="date"/></inputData>';
    const requires =
      '<informationRequirement><requiredInput href="#i"/></informationRequirement>' +
      '<informationRequirement><requiredInput href="#j"/></informationRequirement>';
    const text = 'if date &lt; date("2026-01-01") then count + count([1, 2]) else null';
    const fact = { count: 40, date: '2025-12-31' };
    expect(answerOf(document(input + date + decision(literal(text), requires)), fact)).to.deep.equal({
      told: [],
      value: 42,
    });
    expect(answerOf(definitions(decision(literal('{count: function(n) n + 1, x: count(2)}.x'))))).to.deep.equal({
      told: [],
      value: 3,
    });
  });

  it('an operator of another language is a fault when it is checked', () => {
    for (const text of ['1 == 1', '1 &lt;&gt; 2', '1 =&lt; 2']) {
      const { diagnostics } = compileDmn(definitions(decision(literal(text))));
      expect(
        diagnostics.map(({ code, source }) => [code, source]),
        text,
      ).to.have.lengthOf(1);
    }
    for (const text of ['[5..5] = (= 5)', '[1..2] = [1..2]', '[1..2] != (1..2)'])
      expect(answerOf(definitions(decision(literal(text)))).told, text).to.deep.equal([]);
  });

  it('a type that there is not is told wherever it is named, with its place', () => {
    const needs = '<informationRequirement><requiredInput href="#s"/></informationRequirement>';
    const input = '<inputData id="s" name="s"><variable name="s" typeRef="t"/></inputData>';
    const item = (inner: string): string => `<itemDefinition id="i" name="t">${inner}</itemDefinition>`;
    const component = '<itemComponent name="n"><typeRef>text</typeRef></itemComponent>';
    const relation = `<relation><column name="n" typeRef="text"/><row>${literal('1')}</row></relation>`;
    for (const [body, nodeId, pointer] of [
      [item('<typeRef>text</typeRef>') + input + decision(literal('1'), needs), 'i', '/definitions/itemDefinition'],
      [item(component) + input + decision(literal('1'), needs), 'i', '/definitions/itemDefinition/itemComponent'],
      [decision(relation), 'a', '/definitions/decision/relation/column'],
    ] as const) {
      const { diagnostics } = compileDmn(document(body));
      expect(diagnostics.map((each) => [each.nodeId, each.pointer, each.message])).to.deep.equal([
        [nodeId, pointer, 'There is no type "text".'],
      ]);
    }
  });

  it('cells of a relation are held to the types of its columns', () => {
    const relation = `<relation><column name="n" typeRef="number"/><row>${literal('"1"')}</row><row>${literal('2')}</row></relation>`;
    expect(answerOf(document(decision(relation)))).to.deep.equal({
      told: ['"n" is a string, which is not of its type: number.'],
      value: [{ n: null }, { n: 2 }],
    });
  });

  it('a collection is one by both words of XML Schema that are true', () => {
    const needs = '<informationRequirement><requiredInput href="#s"/></informationRequirement>';
    for (const [word, value] of [
      ['true', [1, 2]],
      ['1', [1, 2]],
      ['0', null],
      ['false', null],
    ] as const) {
      const types = `<itemDefinition name="t" isCollection="${word}"><typeRef>number</typeRef></itemDefinition>`;
      const input = '<inputData id="s" name="s"><variable name="s" typeRef="t"/></inputData>';
      const answer = answerOf(document(types + input + decision(literal('s'), needs)), { s: [1, 2] });
      expect(answer.value, word).to.deep.equal(value);
    }
  });

  it('a prefix that is not declared is a fault, `dmn` like any other', () => {
    const body = decision(literal('1')).replace(/<(\/?)/g, '<$1dmn:');
    const bare = document(body).replace(/<(\/?)definitions/g, '<$1dmn:definitions');
    expect(() => compileDmn(bare)).to.throw('missing namespace on <dmn:definitions>');
    const declared = bare.replace('xmlns=', 'xmlns:dmn=');
    expect(answerOf(declared)).to.deep.equal({ told: [], value: 1 });
    expect(() => compileDmn(document('<dmn:decision id="b" name="b"/>'))).to.throw(
      'missing namespace on <dmn:decision>',
    );
  });

  it('a name that is broken into lines is the one that expressions and facts have', () => {
    for (const name of ['Applicant&#10;Age', 'Applicant\nAge', 'Applicant &#xD;&#xA; Age']) {
      const input = `<inputData id="i" name="${name}"><variable name="${name}" typeRef="number"/></inputData>`;
      const requires = '<informationRequirement><requiredInput href="#i"/></informationRequirement>';
      const xml = document(`${input}${decision(literal('Applicant Age + 1'), requires)}`);
      expect(answerOf(xml, { 'Applicant Age': 17 }), name).to.deep.equal({ told: [], value: 18 });
    }
  });

  it('Camunda’s second name of DMN 1.1 is one', () => {
    const xmlns = 'http://www.omg.org/spec/DMN/20151101/dmn11.xsd';
    expect(answerOf(document(decision(literal('1')), { xmlns }))).to.deep.equal({ told: [], value: 1 });
    expect(compileDmn(document(decision(literal('1')), { xmlns })).version).to.equal('1.1');
  });

  it('the prefix xml, which no document has to declare, is known: Trisotech tells the language of texts by it', () => {
    const body = decision(`<description xml:space="preserve"> one </description>${literal('1')}`);
    const xml = document(body, { attributes: 'xml:lang="en" xml:base="https://example.com/"' });
    expect(answerOf(xml)).to.deep.equal({ told: [], value: 1 });
  });
});
