import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { changesInWords } from '../../../workers/models/narrate/changesInWords.js';
import { narrate } from '../../../workers/models/narrate/narrate.js';
import { chosenText } from '../../../workers/models/narrate/texts.js';

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

describe('a run in words', () => {
  it('tells the row that matched with the values of its fields, and what it gave', () => {
    expect(sentencesOf('kennel-size')).to.deep.equal([
      [
        'Kennel',
        'matched row 2, because animal.weight was 44, from 30 to 100, and animal.kind was “dog”; it gave kennel.size “XL”',
      ],
    ]);
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

describe('changes in words', () => {
  const model = (rules: readonly object[], expression = 'a + 1'): Uint8Array => {
    const content = {
      hitPolicy: 'first',
      inputs: [{ id: 'i', name: 'Score', field: 's' }],
      outputs: [{ id: 'o', name: '', field: 'rate' }],
      rules,
    };
    const nodes = [
      { id: 't', name: 'Rates', type: 'decisionTableNode', content },
      {
        id: 'e',
        name: 'Sum',
        type: 'expressionNode',
        content: { expressions: [{ id: 'x', key: 'k', value: expression }] },
      },
    ];
    return new TextEncoder().encode(JSON.stringify({ nodes, edges: [] }));
  };

  it('name tables, rows and columns as people do', () => {
    const from = model([
      { _id: '1', i: '> 5', o: '1' },
      { _id: '2', i: '', o: '2' },
    ]);
    const to = model(
      [
        { _id: '1', i: '> 6', o: '1' },
        { _id: '2', i: '', o: '2' },
        { _id: '3', i: '< 1', o: '9' },
      ],
      'a + 2',
    );
    const { changes, left } = changesInWords({ kind: 'changesInWords', from, to });
    expect(left).to.equal(0);
    expect(changes.find(({ node }) => node === 'Rates')?.sentences).to.deep.equal([
      'row 1: Score > 5 → > 6',
      'row 3 was added: Score < 1, rate 9',
    ]);
    expect(changes.find(({ node }) => node === 'Sum')?.sentences.join()).to.include('“a + 1” → “a + 2”');
  });
});
