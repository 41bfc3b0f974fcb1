import { expect } from 'chai';
import type { Model } from '../../../src/console/api/types.js';
import { ownFaults } from '../../../src/console/editor/ownFaults.js';
import { readingsOf, withFormulasTold } from '../../../src/console/editor/repairs.js';
import { sheetOf } from '../../../src/console/editor/sheet.js';
import { expressions, graph, input, output, single, table } from '../../support/engine.js';

describe('what the desk itself tells of a draft', () => {
  const told = (model: unknown): unknown =>
    ownFaults(model as Model).map(({ severity, node, pointer, message }) => [severity, node, pointer, message]);

  it('is a row that gives nothing, where the table gives something', () => {
    const rows = [
      { i0: '> 5', o0: '1', o1: '' },
      { i0: '> 3', o0: ' ' },
      { i0: '', o0: '', o1: '2' },
    ];
    const columns = { inputs: ['amount'], outputs: ['rate', 'fee'] };
    expect(told(single(table('Rates', columns, rows)))).to.deep.equal([
      ['warning', 'Rates', '/nodes/1/content/rules/1/o0', 'Row 2 gives nothing yet.'],
    ]);
    expect(told(single(table('Rates', { ...columns, outputs: [] }, rows)))).to.deep.equal([]);
    const odd = single(table('Rates', columns, [{ i0: '> 5' }], { outputs: [{ id: 'a/b~c', field: 'rate' }] }));
    expect(told(odd)).to.deep.include([
      'warning',
      'Rates',
      '/nodes/1/content/rules/0/a~1b~0c',
      'Row 1 gives nothing yet.',
    ]);
  });

  it('is a condition of a switch behind one that takes everything', () => {
    const statements = ['a > 1', ' ', '', 'a > 2'].map((condition, at) => ({ id: String(at), condition }));
    const way = (more: object = {}): unknown =>
      told(single({ id: 'w', name: 'Way', type: 'switchNode', content: { statements, ...more } }));
    const message = 'Nothing gets here: condition 2 takes everything.';
    expect(way()).to.deep.equal([
      ['warning', 'Way', '/nodes/1/content/statements/2/condition', message],
      ['warning', 'Way', '/nodes/1/content/statements/3/condition', message],
    ]);
    expect(way({ hitPolicy: 'collect' })).to.deep.equal([]);
    expect(way({ statements: statements.slice(0, 2) })).to.deep.equal([]);
  });

  it('is a condition that is a word for everything else, put right by emptying it, where no field is called so', () => {
    const switched = (...conditions: readonly string[]): Model =>
      single({
        ...{ id: 'w', name: 'Way', type: 'switchNode' },
        content: { statements: conditions.map((condition, at) => ({ id: String(at), condition })) },
      }) as Model;
    const model = switched('size == "high"', 'otherwise', 'sonst ', 'any > 5');
    const at = (row: number): unknown => [
      'warning',
      'Way',
      `/nodes/1/content/statements/${row}/condition`,
      'An empty cell takes everything; this asks for a field of that name.',
    ];
    expect(told(model)).to.deep.equal([at(1), at(2)]);
    const sheet = sheetOf(model.nodes[1]!)!;
    const [fault] = ownFaults(model);
    expect(readingsOf(sheet, { row: 1, index: 0, told: [fault!] })).to.deep.equal(['']);
    const given = expressions('e', { otherwise: 'a > 5' });
    expect(
      told(graph([input, given, switched('otherwise').nodes[1]!, output], ['in>e', 'e>w', 'w>out'])),
    ).to.deep.equal([]);
  });

  it('is a branch of a switch that leads nowhere, where another one leads somewhere', () => {
    const statements = ['a > 1', 'a > 2', ''].map((condition, at) => ({ id: `s${at}`, condition }));
    const way = { id: 'w', name: 'Way', type: 'switchNode', content: { statements } };
    const of = (...handles: readonly (string | undefined)[]): unknown =>
      told({
        nodes: [input, way, output],
        edges: handles.map((sourceHandle, at) => ({ id: String(at), sourceId: 'w', targetId: 'out', sourceHandle })),
      });
    const at = (row: number): unknown => [
      'warning',
      'Way',
      `/nodes/1/content/statements/${row}/condition`,
      'It leads nowhere: what goes this way gives nothing. Draw a line from it.',
    ];
    expect(of('s0')).to.deep.equal([at(1), at(2)]);
    expect(of('s0', 's1', 's2')).to.deep.equal([]);
    expect(of('s0', undefined), 'a line of no branch, of which the service tells').to.deep.equal([]);
    expect(of(), 'a node that is not drawn on yet').to.deep.equal([]);
  });

  const places = (model: unknown): unknown => ownFaults(model as Model).map(({ pointer }) => pointer);

  it('is an expression that reads a name that only a row above it makes', () => {
    const row = (at: number): string => `/nodes/1/content/expressions/${at}/value`;
    const of = (pairs: Readonly<Record<string, string>>): unknown => places(single(expressions('e', pairs)));
    expect(of({ premium: 'amount * 2', kind: 'premium > 100' })).to.deep.equal([row(1)]);
    expect(of({ 'offer.premium': 'amount * 2', kind: 'offer.premium > 100' })).to.deep.equal([row(1)]);
    expect(of({ kind: 'premium > 100', premium: 'amount * 2' }), 'a row below').to.deep.equal([]);
    expect(of({ premium: 'premium * 2', kind: 'premium > 100' }), 'which comes in').to.deep.equal([]);
    expect(of({ premium: 'amount * 2', kind: '$.premium > 100' }), 'by its name').to.deep.equal([]);
    expect(of({ premium: '', kind: 'premium > 100' }), 'of a row that does nothing').to.deep.equal([]);
    for (const other of ['"premium"', 'a.premium', '{premium: 1}', 'premium(1)', 'map(items as premium, premium + 1)'])
      expect(of({ premium: 'amount * 2', kind: other }), other).to.deep.equal([]);
  });

  it('and no name that a node before it gives, or the schema of the request', () => {
    const rows = expressions('e', { premium: 'amount * 2', kind: 'premium > 100' });
    const before = expressions('b', { premium: 'amount * 3' });
    expect(places(graph([input, before, rows, output], ['in>b', 'b>e', 'e>out']))).to.deep.equal([]);
    const schema = JSON.stringify({ type: 'object', properties: { premium: { type: 'number' } } });
    const asked = { ...input, content: { schema } };
    expect(places(graph([asked, rows, output], ['in>e', 'e>out']))).to.deep.equal([]);
  });

  it('says of a formula what the button beside it writes, what a row above makes in it', () => {
    const model = single(expressions('Sums', { net: 'gross / 1.24', tax: '=ROUND(net*0.255;2)' })) as Model;
    const fault = {
      ...{ severity: 'error' as const, key: '', nodeId: model.nodes[1]!.id, node: 'Sums', line: null, column: null },
      ...{ field: null, excerpt: null, pointer: '/nodes/1/content/expressions/1/value' },
      message: 'This is a formula.',
    } as const;
    const hints = (hint: string): unknown => withFormulasTold(model, [{ ...fault, hint }]).map((each) => each.hint);
    expect(hints('Write round(net * 0.255, 2).')).to.deep.equal(['Write round($.net * 0.255, 2).']);
    expect(hints('Something else.')).to.deep.equal(['Something else.']);
  });
});
