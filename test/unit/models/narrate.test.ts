import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { compileDmn, type Value } from '../../../workers/engine/index.js';
import { chosenText, narrate } from '../../../workers/models/narrate/narrate.js';
import { definitions, dmn } from '../../support/dmn.js';

const golden = (...path: string[]): string => readFileSync(join(projectRoot, 'test/golden', ...path), 'utf8');
const bundleOf = (contents: Readonly<Record<string, string>>, links: Readonly<Record<string, number>> = {}): string => {
  const entries = Object.keys(contents).map((content, at) => ({ content, links: at === 0 ? links : {} }));
  return JSON.stringify({ manifest: { entries }, contents });
};
const sentencesOf = (name: string): readonly (readonly string[])[] => {
  const trace = JSON.stringify((JSON.parse(golden('traces', `${name}.json`)) as object[])[0]);
  const bundle = bundleOf({ h: golden('models', `${name}.json`) });
  return narrate({ kind: 'narrate', bundle, trace, languages: [] }).steps.map(({ node, sentences }) => [
    node,
    ...sentences,
  ]);
};

/** What a run of a document of DMN is told as. */
function toldOf(xml: string, fact: Value): readonly (readonly string[])[] {
  const { program } = compileDmn(xml);
  const { trace, warnings } = program.run(fact, { trace: true, now: 0, deadline: Infinity, random: () => 0 });
  const bundle = bundleOf({ a: JSON.stringify(dmn(xml)) });
  const { steps } = narrate({ kind: 'narrate', bundle, trace: JSON.stringify({ warnings, ...trace }), languages: [] });
  return steps.map(({ node, sentences }) => [node, ...sentences]);
}

describe('a run in words', () => {
  it('cuts a long name of a field, which stands before each field below it', () => {
    const output = { ['k'.repeat(300_000)]: { a: 1, b: 2 } };
    const trace = JSON.stringify({ f: { id: 'f', name: 'F', order: 1, input: {}, output, traceData: null } });
    const bundle = bundleOf({
      h: JSON.stringify({ nodes: [{ id: 'f', name: 'F', type: 'functionNode' }], edges: [] }),
    });
    const { steps } = narrate({ kind: 'narrate', bundle, trace, languages: [] });
    const name = `${'k'.repeat(100)}…`;
    expect(steps.map(({ sentences }) => sentences)).to.deep.equal([[`gave ${name}.a 1, ${name}.b 2`]]);
  });

  it('is no longer than a page, however long the names and cells are that it tells', () => {
    const name = 'n'.repeat(20_000);
    const nodes = Array.from({ length: 200 }, (_, at) => ({ id: `f${at}`, name, type: 'functionNode' }));
    const traced = nodes.map(({ id }, order) => [
      id,
      { id, name, order, input: {}, output: { a: 1 }, traceData: null },
    ]);
    const bundle = bundleOf({ h: JSON.stringify({ nodes, edges: [] }) });
    const trace = JSON.stringify(Object.fromEntries(traced));
    const { steps, left } = narrate({ kind: 'narrate', bundle, trace, languages: [] });
    expect([steps.length, left]).to.deep.equal([100, 100]);
    expect(steps[0]).to.deep.equal({ node: `${'n'.repeat(2000)}…`, sentences: ['gave a 1'], reasons: [], inside: [] });
  });

  it('tells the row that matched with the values of its fields, and what it gave', () => {
    expect(sentencesOf('kennel-size')).to.deep.equal([
      [
        'Kennel',
        'matched row 2, because animal.weight was 44, from 30 to 100, and animal.kind was “dog”; it gave kennel.size “XL”',
      ],
    ]);
  });

  it('tells which row would have matched, and why it was passed over', () => {
    const node = { id: 't', name: 'Limits', type: 'decisionTableNode', content: { rules: [{}, {}] } };
    const passedOver = [{ index: 0, message: 'its Max loan could not be computed: there is no bonus' }];
    const trace = {
      t: { id: 't', name: 'Limits', input: {}, output: {}, order: 0, traceData: { index: 1 }, passedOver },
    };
    const bundle = bundleOf({ a: JSON.stringify({ nodes: [node], edges: [] }) });
    const { steps } = narrate({ kind: 'narrate', bundle, trace: JSON.stringify(trace), languages: [] });
    expect(steps[0]?.sentences).to.deep.equal([
      'passed over row 1, which would match, but its Max loan could not be computed: there is no bonus',
      'matched row 2, which asks for nothing',
    ]);
  });

  it('tells of a table of which no row matches which one came nearest, and what of it was not so', () => {
    const node = { id: 't', name: 'Limits', type: 'decisionTableNode', content: {} };
    const told = (...missed: object[]): string | undefined => {
      const nearest = { index: 7, missed };
      const trace = { t: { id: 't', name: 'Limits', input: {}, output: null, order: 0, traceData: null, nearest } };
      const bundle = bundleOf({ a: JSON.stringify({ nodes: [node], edges: [] }) });
      const { steps } = narrate({ kind: 'narrate', bundle, trace: JSON.stringify(trace), languages: [] });
      return steps[0]?.sentences.join().replace('has no row that matches. The nearest is row 8: ', '');
    };
    const day = { column: 'Sample date', condition: '<= d("2027-06-30")', value: '“2027-06-30T14:30:00Z”' };
    expect(told(day)).to.equal('Sample date was “2027-06-30T14:30:00Z”, which does not fit ≤ 2027-06-30');
    expect(told({ ...day, condition: '"a"' }, { ...day, column: 'Kind', condition: '[18..24]' })).to.equal(
      'Sample date was “2027-06-30T14:30:00Z”, which does not fit a, and Kind was “2027-06-30T14:30:00Z”, which does not fit 18–24',
    );
    expect(told({ column: 'Kind', condition: '"a", "b"', value: '“c”' })).to.equal(
      'Kind was “c”, which does not fit a, b',
    );
    expect(told({ column: 'Kind', condition: 'not in ["a"]', value: '“a”' })).to.equal(
      'Kind was “a”, which does not fit not in [a]',
    );
    expect(told({ column: 'Note', condition: '"a"' })).to.equal('Note does not fit a');
    expect(told({ column: 'the case', condition: 'sum(d) > 5' })).to.equal('the case does not fit sum(d) > 5');
  });

  it('tells each row of a table that collects', () => {
    const [[, ...rows] = []] = sentencesOf('surcharges');
    expect(rows).to.deep.equal([
      'matched row 1, because trip.km was 230, more than 50',
      'matched row 2, because trip.km was 230, at least 200',
      'matched row 3, because trip.urgent was true',
    ]);
  });

  it('tells what a decision that was asked did, within its node', () => {
    const table = { id: 's', name: 'Child', type: 'decisionNode', content: { key: 'child.json' } };
    const inner = {
      id: 'x',
      name: 'Look up',
      type: 'expressionNode',
      content: { expressions: [{ key: 'own', value: 'animal' }] },
    };
    const traced = (id: string, name: string, traceData: unknown): object => ({
      ...{ id, name, input: {}, output: {}, order: 0, traceData },
    });
    const trace = { s: traced('s', 'Child', { x: traced('x', 'Look up', { own: { result: 'Rex' } }) }) };
    const bundle = bundleOf(
      { a: JSON.stringify({ nodes: [table], edges: [] }), b: JSON.stringify({ nodes: [inner], edges: [] }) },
      { 'child.json': 1 },
    );
    const { steps } = narrate({ kind: 'narrate', bundle, trace: JSON.stringify(trace), languages: [] });
    expect(steps[0]?.inside.map(({ node, sentences }) => [node, ...sentences])).to.deep.equal([
      ['Look up', 'made own “Rex”, by animal'],
    ]);
  });

  it('tells what a step gave by the fields that it gave, each value whole, and not what only went through', () => {
    const items = [-5, 1, 2].map((price) => ({ price, quantity: 1, about: 'a thing that weighs a little' }));
    const gave = (output: object, input: object = { items, zone: 'abroad' }): readonly string[] => {
      const node = { id: 's', name: 'Shipping', type: 'decisionNode', content: { key: 'shipping.json' } };
      const trace = { s: { id: 's', name: 'Shipping', input, output, order: 0, traceData: null } };
      const bundle = bundleOf({ a: JSON.stringify({ nodes: [node], edges: [] }) });
      return narrate({ kind: 'narrate', bundle, trace: JSON.stringify(trace), languages: [] }).steps[0]!.sentences;
    };
    const shipping = { free: false, fee: 4.5, days: { from: 1, to: 3 }, note: null };
    expect(gave({ zone: 'domestic', items, shipping })).to.deep.equal([
      'gave zone “domestic”, shipping.free false, shipping.fee 4.5, shipping.days.from 1, shipping.days.to 3, shipping.note null',
    ]);
    expect(gave({ items: [...items, ...items], tags: ['a', 'b'] })).to.deep.equal([
      'gave items a list of 6, tags ["a","b"]',
    ]);
    expect(gave({ zone: 'abroad', items })).to.deep.equal(['passed on what came in']);
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`f${at}`, at]));
    expect(gave(many)[0]).to.match(/, f11 11, 3 more$/);
  });

  it('tells the rules of a DMN table that matched with the values of its inputs, and what was null', () => {
    const xml = golden('dmn', 'camunda.dmn');
    const told = (fact: Value) => toldOf(xml, fact);
    expect(told({ score: 760, kind: 'x' })).to.deep.equal([
      ['Rate', 'matched rule 2, because score was 760, at least 750; it gave 4.5'],
    ]);
    expect(told({ score: 850, kind: 'private' })).to.deep.equal([
      [
        'Rate',
        'matched rule 1, because score was 850, which fits points > 800 and points < 900, and kind was “private”; it gave 3.9',
      ],
    ]);
    expect(told({ score: 1, kind: 'x' })).to.deep.equal([
      ['Rate', 'matched rule 3, which asks for nothing; it gave 8.2'],
    ]);
  });

  it('tells each rule of a DMN table that collects, the entries of a context, and that nothing matches', () => {
    const cell = (source: string): string => `<text>${source}</text>`;
    const xml = definitions(`<inputData id="n" name="n"><variable name="n" typeRef="number"/></inputData>
      <decision id="all" name="All"><variable name="All"/><informationRequirement><requiredInput href="#n"/></informationRequirement>
        <decisionTable hitPolicy="RULE ORDER"><input><inputExpression>${cell('n')}</inputExpression></input><output name="All"/>
          <rule id="a"><inputEntry>${cell('[1..5]')}</inputEntry><outputEntry>${cell('"low"')}</outputEntry></rule>
          <rule id="b"><inputEntry>${cell('2, 3')}</inputEntry><outputEntry>${cell('n + "x"')}</outputEntry></rule>
        </decisionTable></decision>
      <decision id="sums" name="Sums"><variable name="Sums"/><informationRequirement><requiredInput href="#n"/></informationRequirement>
        <context><contextEntry><variable name="twice"/><literalExpression>${cell('n * 2')}</literalExpression></contextEntry></context></decision>`);
    const told = (fact: Value) => toldOf(xml, fact);
    expect(told({ n: 2 })).to.deep.equal([
      [
        'All',
        'matched rule 1, because n was 2, from 1 to 5',
        'matched rule 2, because n was 2, which fits 2, 3',
        'gave ["low",null]',
        'found no value in n + "x": There is no number + string.',
      ],
      ['Sums', 'made twice 4', 'gave {"twice":4}'],
    ]);
    expect(told({ n: 9 })[0]).to.deep.equal(['All', 'has no rule that matches, and gave []']);
  });

  it('tells of a null where it came from, once, and calls it null as results do', () => {
    const cell = (source: string): string => `<text>${source.replaceAll('<', '&lt;')}</text>`;
    const reads = (id: string, kind = 'Input'): string =>
      `<informationRequirement><required${kind} href="#${id}"/></informationRequirement>`;
    const xml = definitions(`<inputData id="n" name="n"><variable name="n" typeRef="number"/></inputData>
      <decision id="rate" name="Rate"><variable name="Rate"/>${reads('n')}
        <decisionTable hitPolicy="UNIQUE"><input><inputExpression>${cell('n')}</inputExpression></input><output name="Rate"/>
          <rule id="a"><inputEntry>${cell('< 5')}</inputEntry><outputEntry>${cell('1')}</outputEntry></rule>
          <rule id="b"><inputEntry>${cell('> 3')}</inputEntry><outputEntry>${cell('2')}</outputEntry></rule>
        </decisionTable></decision>
      <decision id="price" name="Price"><variable name="Price"/>${reads('n')}${reads('rate', 'Decision')}
        <context><contextEntry><variable name="net"/><literalExpression>${cell('floor(n * (1 - Rate) - 2 + 3, 0)')}</literalExpression></contextEntry>
          <contextEntry><variable name="odd"/><literalExpression>${cell('count([n / 0]) - "a"')}</literalExpression></contextEntry></context></decision>`);
    expect(toldOf(xml, { n: 4 })).to.deep.equal([
      [
        'Rate',
        'matched rule 1, because n was 4, less than 5',
        'matched rule 2, because n was 4, more than 3',
        'gave null',
        'found no value: Rules 1, 2 match, and only one may (hit policy UNIQUE).',
      ],
      [
        'Price',
        'made net null',
        'made odd null',
        'gave {"net":null,"odd":null}',
        'found no value in floor(n * (1 - Rate) - 2 + 3, 0): There is no number - null.',
        'found no value in count([n / 0]) - "a": A number is divided by zero, or the quotient is too large.',
        'found no value in count([n / 0]) - "a": There is no number - string.',
      ],
    ]);
  });

  it('ends after some hundred steps, and says how many there are more', () => {
    const names = Array.from({ length: 1000 }, (_, at) => `n${at}`);
    const nodes = names.map((id) => ({ id, name: id, type: 'functionNode' }));
    const trace = Object.fromEntries(
      names.map((id, order) => [id, { id, name: id, input: {}, output: { order }, order, traceData: null }]),
    );
    const bundle = bundleOf({ a: JSON.stringify({ nodes, edges: [] }) });
    const { steps, left } = narrate({ kind: 'narrate', bundle, trace: JSON.stringify(trace), languages: [] });
    expect([steps.length, left]).to.deep.equal([300, 700]);
  });

  it('has a text in the language that is asked for, else in English, else in any', () => {
    const texts = { sv: 'ja', en: 'yes', 'fi-FI': 'kyllä' };
    expect(chosenText(texts, ['fi'])).to.deep.equal({ text: 'kyllä', language: 'fi-FI' });
    expect(chosenText(texts, ['de', 'sv-FI'])?.text).to.equal('ja');
    expect(chosenText(texts, ['de'])?.text).to.equal('yes');
    expect(chosenText({ sv: 'ja' }, ['de'])?.text).to.equal('ja');
    expect(chosenText({}, ['de'])).to.equal(undefined);
  });
});
