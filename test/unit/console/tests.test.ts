import { expect } from 'chai';
import type { Model } from '../../../src/console/api/types.js';
import { fieldsOf, fits, soughtIn } from '../../../src/console/executions/fits.js';
import { whoOf } from '../../../src/console/shell/who.js';
import { freshTestName, missedOf } from '../../../src/console/tests/coverage.js';

const model: Model = {
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request' },
    { id: 't', type: 'decisionTableNode', name: 'Rates', content: { rules: [{ _id: 'a' }, {}, { _id: 'c' }] } },
    { id: 's', type: 'switchNode', name: 'Way', content: { statements: [{ id: 'x' }, { id: 'y' }] } },
    { id: 'o', type: 'expressionNode', name: 'Other' },
  ],
  edges: [],
};

describe('what no test reaches', () => {
  it('is told by node, with the numbers of rows and statements, whatever they are called in the report', () => {
    const hit = (nodeId: string, ruleId: string, hits: number) => ({ nodeId, ruleId, hits });
    const coverage = {
      nodes: ['in', 't', 's', 'o'].map((nodeId) => ({ nodeId, hits: nodeId === 'o' ? 0 : 1 })),
      rules: [hit('t', 'a', 2), hit('t', '1', 0), hit('t', 'c', 0), hit('s', 'x', 0), hit('s', 'y', 1)],
    };
    const missed = missedOf(model, { coverage });
    expect(missed.lines).to.deep.equal([
      { nodeId: 't', name: 'Rates', text: 'no test reaches rows 2, 3' },
      { nodeId: 's', name: 'Way', text: 'no test reaches statement 1' },
      { nodeId: 'o', name: 'Other', text: 'no test comes here' },
    ]);
    expect([...missed.nodes]).to.have.members(['o', 't', 's']);
    expect([...(missed.rules.get('t') ?? [])]).to.deep.equal(['1', 'c']);
  });
});

describe('a list of tests', () => {
  it('names a new one as no other is named', () => {
    expect(freshTestName([])).to.equal('test 1');
    expect(
      freshTestName([
        { name: 'test 3', input: {} },
        { name: 'two', input: {} },
      ]),
    ).to.equal('test 4');
  });
});

describe('a field that is searched for', () => {
  it('is that text, or that JSON, wherever its path leads, as people write names, words and numbers', () => {
    const fact = {
      id: '7',
      customer: { age: 41 },
      items: [{ price: 1.5 }],
      none: null,
      'Loan amount': 30_000,
      kind: 'Car loan',
      'Customer no.': 'K0042',
      'v1.0': { rate: 7 },
    };
    for (const [path, value, found] of [
      ['id', '7', true],
      ['id', '"7"', true],
      ['customer.age', '41', true],
      ['customer.age', '4', false],
      ['items.0.price', '1.5', true],
      ['none', 'null', true],
      ['gone', 'null', false],
      ['customer', '{"age":41}', true],
      ['constructor', 'x', false],
      ['loan_amount', '30000', true],
      ['loan amount', '30,000', true],
      ['LoanAmount', '€ 30 000', true],
      ['Loan amount', '30,5', false],
      ['items.0.price', '1,5', true],
      ['KIND', 'car loan ', true],
      ['kind', 'car', false],
      ['Customer no.', 'K0042', true],
      ['customer no.', 'K0042', true],
      ['v1.0.rate', '7', true],
    ] as const) {
      expect(fits(soughtIn(fact, path), value), `${path} is ${value}`).to.equal(found);
    }
    expect(soughtIn(fact, 'gone')).to.equal(undefined);
    expect(fieldsOf(fact)).to.deep.equal([
      'id',
      'customer',
      'customer.age',
      'items',
      'none',
      'Loan amount',
      'kind',
      'Customer no.',
      'v1.0',
      'v1.0.rate',
    ]);
  });
});

describe('who is signed in', () => {
  const tokenOf = (claims: object): string => `a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c`;

  it('is a client, with what it may do', () => {
    const who = whoOf(tokenOf({ sub: 'one', client_id: 'one', scope: 'clients:read audit:read' }));
    expect(who).to.deep.equal({
      principal: 'client:one',
      name: null,
      scopes: new Set(['clients:read', 'audit:read']),
    });
  });

  it('is a person, by the name that the provider gives', () => {
    const who = whoOf(tokenOf({ iss: 'https://id.example', sub: 'u1', name: 'Zoë' }));
    expect(who).to.deep.equal({ principal: 'user:https://id.example#u1', name: 'Zoë', scopes: null });
  });

  it('is unknown where the token says nothing', () => {
    for (const token of ['', 'a.b.c', 'opaque']) expect(whoOf(token).name, token).to.equal('unknown');
  });
});
