import { expect } from 'chai';
import { validate } from '../../../../workers/engine/index.js';
import { expressions, graph, input, output, table, type NodeDraft } from '../../../support/engine.js';

const declared = (properties: object): NodeDraft => ({
  ...input,
  content: { schema: JSON.stringify({ type: 'object', properties }) },
});

describe('a field whose name has a blank in it', () => {
  const request = declared({ 'Loan amount': { type: 'number' }, Rate: { type: 'number' } });
  const repairsOf = (model: unknown) =>
    validate(model, { knows: () => true }).map(({ repair, readings }) => repair ?? readings ?? null);
  const inNode = (node: NodeDraft, first = request): readonly unknown[] =>
    repairsOf(graph([first, node, output], ['in>' + node.id, node.id + '>out']));
  const asked = (source: string): readonly unknown[] => inNode(expressions('e', { x: source }));

  it('is offered where its words stand in an expression, a formula, a condition or a result', () => {
    expect(asked('Loan amount * Rate')).to.deep.equal(['$root["Loan amount"] * Rate']);
    expect(asked('"Loan amount: " + string(loan AMOUNT)')).to.deep.equal([
      '"Loan amount: " + string($root["Loan amount"])',
    ]);
    expect(asked('=ROUND(Loan amount * Rate / 12, 2)')).to.deep.equal(['round($root["Loan amount"] * Rate / 12, 2)']);
    expect(asked('=Loan amount&" €"')).to.deep.equal(['string($root["Loan amount"]) + " €"']);
    const way = (condition: string): NodeDraft => {
      return {
        id: 's',
        type: 'switchNode',
        content: {
          statements: [
            { id: 'a', condition },
            { id: 'b', condition: '' },
          ],
        },
      };
    };
    const ways = (condition: string): readonly unknown[] =>
      repairsOf(graph([request, way(condition), output], ['in>s', 's:a>out', 's:b>out']));
    expect(ways('Loan amount >= 500')).to.deep.equal(['$root["Loan amount"] >= 500']);
    expect(ways('Loan amount = 500 OR Rate > 2')).to.deep.equal(['$root["Loan amount"] == 500 or Rate > 2']);
    // Whatever the words around a number, its point is asked.
    for (const number of ['10.000', '10.000 €', '€ 10.000'])
      expect(ways(`Loan amount > ${number}`)).to.deep.equal([
        ['$root["Loan amount"] > 10', '$root["Loan amount"] > 10000'],
      ]);
    const results = (cell: string): NodeDraft =>
      table('t', { inputs: ['Rate'], outputs: ['x'] }, [
        { i0: '> 5', o0: cell },
        { i0: '', o0: '5' },
      ]);
    expect(inNode(results('Loan amount * 2'))).to.deep.equal(['$root["Loan amount"] * 2']);
    expect(inNode(results('Loan amount'))).to.deep.equal([null]);
  });

  it('is known by the titles of columns and by what other nodes write, too', () => {
    const columns = {
      inputs: [{ id: 'i', name: 'Loan amount', field: 'loanAmount' }],
      outputs: [{ id: 'o', name: 'Max (EUR), loan – new', field: 'maxLoan' }],
    };
    const limits = { id: 't', type: 'decisionTableNode', content: { ...columns, rules: [{ i: '> 5', o: '7' }] } };
    const model = (source: string): unknown =>
      graph([input, limits, expressions('e', { x: source, 'Own name': '1' }), output], ['in>t', 't>e', 'e>out']);
    expect(repairsOf(model('Loan amount * Max (EUR), loan – new'))).to.deep.equal(['loanAmount * maxLoan']);
    expect(repairsOf(model('Own name * 2'))).to.deep.equal([null]);
  });

  it('is named as ZEN reads texts, which has no escapes', () => {
    const name = 'New loan\\amount';
    const node = expressions('e', { x: `${name} * 2` });
    expect(inNode(node, declared({ [name]: { type: 'number' } }))).to.deep.equal([`$root["${name}"] * 2`]);
  });

  it('is offered for no words that are none, nor where more is wrong', () => {
    for (const source of ['Loan sum * Rate', 'Loan amount * * Rate', 'Loan amounts * Rate', '"Loan amount" Rate'])
      expect(asked(source), source).to.deep.equal([null]);
  });
});
