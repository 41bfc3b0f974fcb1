import { expect } from 'chai';
import { analyse, compileProperties } from '../../../workers/analysis/index.js';
import { compile } from '../../../workers/engine/index.js';
import { isObject } from '../../../workers/engine/zen/values/kinds.js';
import { own } from '../../../workers/engine/zen/values/objects.js';

/** A table of seats, whose columns `start` and `valid` are times and days. */
function modelOf(
  columns: readonly object[],
  rows: readonly (readonly string[])[],
  others: readonly (typeof fee)[] = [],
) {
  const inputs = columns.map((column, at): { readonly id: string } => ({ id: `i${at}`, ...column }));
  const rules = rows.map((cells, at) => ({
    _id: `r${at + 1}`,
    ...Object.fromEntries(inputs.map(({ id }, column) => [id, cells[column]])),
    o: cells.at(-1),
  }));
  const outputs = [{ id: 'o', name: 'Price', field: 'price' }];
  const content = { hitPolicy: 'first', inputs, outputs, rules };
  const nodes = [
    { id: 'in', type: 'inputNode', name: 'in', content: {} },
    { id: 'table', type: 'decisionTableNode', name: 'table', content },
    ...others,
  ];
  const edges = nodes.slice(1).map(({ id }, at) => ({ id: `e${at}`, sourceId: nodes[at]?.id, targetId: id }));
  return { nodes, edges };
}

async function analysed(document: object, never: string) {
  const program = compile(document, { resolve: () => undefined });
  const { checked, faults } = compileProperties([{ name: 'never', never }]);
  expect(faults).to.deep.equal([]);
  const request = { version: { document, program, linked: '' }, properties: checked, until: Infinity };
  const { report, unconfirmed } = await analyse(request);
  expect(unconfirmed).to.equal(0);
  return report;
}

async function counterexample(document: object, never: string) {
  const [property] = (await analysed(document, never)).properties;
  expect(property?.status).to.equal('refuted');
  return property?.witness?.fact ?? null;
}

const session = { field: 'session', name: 'Session' };
const fee = {
  id: 'fee',
  type: 'expressionNode',
  name: 'fee',
  content: { passThrough: true, expressions: [{ id: '1', key: 'fee', value: 'price ?? 0' }] },
};
const day = /^\d{4}-\d\d-\d\d$/;

describe('days and times of witnesses', () => {
  for (const [title, column, cell, wanted] of [
    ['days that rows list', {}, '"2024-01-31"', day],
    ['days, by the word of its author', { _kind: 'date' }, '', day],
    ['days, by the type of the field', { fieldType: { type: 'date' } }, '', day],
    ['times, by the word of its author', { _kind: 'time' }, '', /^\d\d:\d\d$/],
    ['moments, by the word of its author', { _kind: 'dateTime' }, '', /^\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ] as const)
    it(`are what a counterexample has in a column of ${title}`, async () => {
      const rows = [
        ['"Opera"', cell, '90'],
        ['"Ballet"', '', '50'],
      ];
      for (const others of [[], [fee]]) {
        const model = modelOf([session, { field: 'start', name: 'Start', ...column }], rows, others);
        // Neither what the rows name, nor nothing: any other value refutes it.
        const never = 'fact.start != null and fact.start != "2024-01-31" and result.price == 50';
        expect(own(await counterexample(model, never), 'start')).to.match(wanted);
      }
    });

  it('are what the witness of a gap has, where rows list days', async () => {
    const columns = [session, { field: 'valid', name: 'Valid' }];
    const { tables } = await analysed(modelOf(columns, [['"Opera"', '"2024-01-31", "2024-02-01"', '1']]), 'false');
    const facts = tables.flatMap(({ findings }) => findings.flatMap(({ witness }) => witness?.fact ?? []));
    expect(facts).to.not.have.length(0);
    for (const fact of facts) if (isObject(fact)) expect(own(fact, 'valid')).to.match(day);
  });

  it('are what shows that two versions differ', async () => {
    const columns = [session, { field: 'valid', name: 'Valid' }];
    const versionOf = (price: string, others: readonly (typeof fee)[]) => {
      const document = modelOf(
        columns,
        [
          ['"Opera"', '"2024-01-31"', '1'],
          ['', '', price],
        ],
        others,
      );
      return { document, program: compile(document, { resolve: () => undefined }), linked: '' };
    };
    for (const others of [[], [fee]]) {
      const { report } = await analyse({
        version: versionOf('2', others),
        against: versionOf('3', []),
        until: Infinity,
      });
      const facts = report.change?.regions.map(({ witness }) => witness.fact) ?? [];
      expect(facts).to.not.have.length(0);
      for (const fact of facts) if (isObject(fact)) expect(own(fact, 'valid') ?? '2024-01-31').to.match(day);
    }
  });

  it('are not what it has where nothing but another value shows it', async () => {
    const model = modelOf([{ field: 'valid', name: 'Valid', _kind: 'date' }], [['"soon"', '1']]);
    expect(await counterexample(model, 'result.price == 1')).to.deep.equal({ valid: 'soon' });
    expect(await counterexample(model, 'result.price == null and fact.valid == "never"')).to.deep.equal({
      valid: 'never',
    });
  });

  it('are not looked for in a field whose columns have other texts as well', async () => {
    const model = modelOf(
      [{ field: 'when', name: 'When' }],
      [
        ['"2024-01-31"', '1'],
        ['"always"', '2'],
      ],
    );
    const fact = await counterexample(model, 'fact.when != null and result.price == null');
    expect(fact).to.deep.equal({ when: 'other' });
  });
});
