import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { givenBy, type Called } from '../../../src/console/editor/called.js';
import { withSpacedFields } from '../../../src/console/editor/spacedFields.js';
import { wordsOf } from '../../../src/console/editor/words.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { validate } from '../../../workers/engine/index.js';
import { expressions, graph, input, output, type NodeDraft } from '../../support/engine.js';

const called: Called = new Map([
  ['rates', { input: {}, output: { properties: { 'Base price (EUR)': { type: 'number' }, Fee: { type: 'number' } } } }],
]);
const known = {
  schema: { properties: { 'Fuel surcharge': { type: 'number' }, owner: { properties: { 'last name': {} } } } },
  given: (node: Parameters<typeof givenBy>[0]) => givenBy(node, called),
};
const rates: NodeDraft = { id: 'rates', type: 'decisionNode', content: { key: 'rates' } };
const modelOf = (source: string): Model =>
  graph([input, rates, expressions('e', { x: source }), output], ['in>rates', 'rates>e', 'e>out']) as Model;

/** What can stand in place of an expression, and what is told of it. */
function repairOf(source: string): readonly (string | null | undefined)[] {
  const model = modelOf(source);
  const faults = validate(model, { knows: () => true }).map((diagnostic): Fault =>
    faultDocument({ key: 'a', diagnostic }),
  );
  return withSpacedFields(model, faults, known).map(({ repair }) => repair);
}

describe('a field with blanks in its name that the form has, or a decision gives that the model runs', () => {
  for (const [source, zen] of [
    ['=Base price (EUR) * (1 + Fuel surcharge)', '$root["Base price (EUR)"] * (1 + $root["Fuel surcharge"])'],
    [
      'Base price (EUR) * (1 + fuel surcharge) + Fee',
      '$root["Base price (EUR)"] * (1 + $root["Fuel surcharge"]) + Fee',
    ],
    ['=ROUND(Base price (EUR);2)', 'round($root["Base price (EUR)"], 2)'],
  ] as const)
    it(`is offered as it must be written: ${source}`, () => expect(repairOf(source)).to.deep.equal([zen]));

  it('is one that a row above makes, too, and a formula needs no sign of equality for it', () => {
    const rows = {
      'Net price': '$root["Base price (EUR)"] * 2',
      least: 'MAX(450; ROUND(Net price + Fuel surcharge; 2))',
      tax: 'ROUND(Net price * 19%; 2)',
      kind: 'IF(Net price = 450; "least"; "more")',
    };
    const model = graph([input, rates, expressions('e', rows), output], ['in>rates', 'rates>e', 'e>out']) as Model;
    const faults = validate(model, { knows: () => true }).map((diagnostic) => faultDocument({ key: 'a', diagnostic }));
    const repairs = withSpacedFields(model, faults, known).map(({ repair }) => repair);
    expect(repairs).to.deep.equal([
      'max([450, round($["Net price"] + $root["Fuel surcharge"], 2)])',
      'round($["Net price"] * 0.19, 2)',
      '($["Net price"] == 450 ? "least" : "more")',
    ]);
    const written = { ...rows, least: repairs[0], tax: repairs[1], kind: repairs[2] } as Record<string, string>;
    const mended = graph([input, rates, expressions('e', written), output], ['in>rates', 'rates>e', 'e>out']) as Model;
    expect(validate(mended, { knows: () => true })).to.deep.equal([]);
  });

  it('is not offered for words that are none', () => {
    expect(repairOf('Base cost * 2')).to.deep.equal([undefined]);
    expect(repairOf('=VLOOKUP(Fuel surcharge;A1;2)')).to.deep.equal([undefined]);
  });

  it('is among the words that may stand in a node, with how it is written', () => {
    const words = wordsOf(modelOf('1'), 'e', undefined, known);
    const written = words.flatMap(({ label, written, kind }) => (kind === 'field' ? [[label, written ?? label]] : []));
    expect(written).to.deep.equal([
      ['Base price (EUR)', '$root["Base price (EUR)"]'],
      ['Fee', 'Fee'],
      ['Fuel surcharge', '$root["Fuel surcharge"]'],
      ['owner', 'owner'],
      ['owner.last name', 'owner["last name"]'],
    ]);
  });
});
