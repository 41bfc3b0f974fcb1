import { expect } from 'chai';
import { askedConditions, askedNames } from '../../../src/console/analysis/askedConditions.js';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { validate } from '../../../workers/engine/index.js';

const content = {
  inputs: [
    { id: 'i', name: 'Age of buyer', field: 'buyer.age' },
    { id: 'k', name: 'Kind', field: '$root["Kind of ticket"]' },
    { id: 'd', name: 'Computed', field: 'a + b' },
  ],
  outputs: [
    { id: 'o', name: 'Base fee €', field: 'baseFee' },
    { id: 'p', name: 'Final price', field: 'Final price' },
    { id: 'q', name: 'Within', field: 'notGiven' },
  ],
};
const model: Model = { nodes: [{ id: 't', type: 'decisionTableNode', name: 't', content }], edges: [] };
const schemas = {
  input: { properties: { buyer: {}, 'Kind of ticket': {}, currency: {}, in: {} } },
  output: { properties: { baseFee: {}, 'Final price': {}, currency: {} } },
};
const meant = (source: string) =>
  askedConditions(source, askedNames(model, schemas), (asked) =>
    Promise.resolve(validate(asked, { knows: () => true }) as unknown as readonly Fault[]),
  );

describe('a condition about the fact and the result', () => {
  for (const [source, ...wanted] of [
    ['Base fee € > 100', 'result.baseFee > 100'],
    ['final PRICE > 100 and age of buyer < 18', 'result["Final price"] > 100 and fact.buyer.age < 18'],
    ['buyer.age < 18', 'fact.buyer.age < 18'],
    ['baseFee = 30', 'result.baseFee == 30'],
    ['result.baseFee = 30', 'result.baseFee == 30'],
    ['Kind = Opera AND Base fee € <> 5', 'fact["Kind of ticket"] == "Opera" and result.baseFee != 5'],
    ['500 <= fact.buyer.age <= 600', '500 <= fact.buyer.age and fact.buyer.age <= 600'],
    // Nobody knows which of two is meant.
    ['currency = "EUR"', 'result.currency == "EUR"', 'fact.currency == "EUR"'],
    ['Base fee € > 10.000', 'result.baseFee > 10', 'result.baseFee > 10000'],
  ] as const)
    it(`is read as those of switches are, by the names that people see: ${source}`, async () => {
      expect(await meant(source)).to.deep.equal(wanted);
    });

  for (const source of [
    "fact.buyer.age < 18 and result['Final price'] != 5",
    'fact.kind == "Base fee € = 5"',
    'fact.baseFee > 3 or fact["Final price"] in [1, 2]',
    'fact.n in [1..2]',
    'some(fact.items, #.currency == "EUR")',
    'Within > 5',
    'Computed > 5',
    'result.baseFee ==',
  ])
    it(`stays as it is where nothing else is known to be meant: ${source}`, async () => {
      expect(await meant(source)).to.deep.equal([source]);
    });
});
