import { expect } from 'chai';
import { suggest } from '../../../workers/analysis/index.js';
import { fieldsOf } from '../../../workers/analysis/fields.js';
import { compile, isNumeric } from '../../../workers/engine/index.js';

/** A table of ages. */
function tickets(column: object) {
  const cells = ['> 65', '[18..65]', '[6..17]', '< 6'];
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', content: {} },
      {
        id: 'table',
        type: 'decisionTableNode',
        name: 'Tickets',
        content: {
          hitPolicy: 'first',
          inputs: [{ id: 'age', name: 'Age', field: 'age', ...column }],
          outputs: [{ id: 'price', name: 'Price', field: 'price' }],
          rules: cells.map((age, at) => ({ _id: `r${at + 1}`, age, price: String(at) })),
        },
      },
    ],
    edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
  };
}

async function suggestedFor(column: object) {
  const document = tickets(column);
  const program = compile(document, { resolve: () => undefined });
  const { report } = await suggest({ version: { document, program, linked: '' }, until: Infinity });
  return report.tests;
}

describe('suggested tests', () => {
  it('are looked for among whole numbers where a column has these only', async () => {
    const isWhole = (column: object): boolean =>
      fieldsOf(tickets(column)).every(({ values }) =>
        values.every((value) => isNumeric(value) && Number(value) % 1 === 0),
      );
    expect([isWhole({}), isWhole({ _whole: true })]).to.deep.equal([false, true]);
    for (const { input } of await suggestedFor({ _whole: true }))
      expect(Number((input as { readonly age: unknown }).age) % 1).to.equal(0);
  });

  it('have no negative number where a row asks for none, though the first bounds are those of 0', async () => {
    const document = tickets({});
    const table = document.nodes[1]!.content as { inputs: object[]; rules: object[] };
    table.inputs.push({ id: 'kg', name: 'Weight', field: 'kg' });
    table.rules = [
      { _id: 'r1', age: '< 6', kg: '', price: '1' },
      { _id: 'r2', age: '< 18', kg: '[0..5]', price: '2' },
      { _id: 'r3', age: '', kg: '> 5', price: '3' },
    ];
    const program = compile(document, { resolve: () => undefined });
    const { report } = await suggest({ version: { document, program, linked: '' }, until: Infinity });
    const ofRows = report.tests.filter(({ name }) => name.startsWith('Tickets'));
    expect(ofRows).to.have.length(3);
    for (const { name, input } of ofRows)
      expect(Number((input as { readonly kg: unknown }).kg), name).to.be.at.least(0);
  });

  it('stand in the order of the rows, those of boundaries at the end', async () => {
    const names = (await suggestedFor({})).map(({ name }) => name.split(':')[0]);
    const rows = names.filter((name) => name?.startsWith('Tickets'));
    expect(rows).to.deep.equal(['Tickets row 1', 'Tickets row 2', 'Tickets row 3', 'Tickets row 4']);
    expect(names.slice(rows.length).every((name) => name?.startsWith('Boundary'))).to.equal(true);
  });
});
