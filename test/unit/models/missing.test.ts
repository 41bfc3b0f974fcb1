import { expect } from 'chai';
import { narrate } from '../../../workers/models/narrate/narrate.js';
import { whatWasMissing } from '../../../workers/models/narrate/missing.js';
import type { Value } from '../../../workers/engine/index.js';
import { program, runSync } from '../../support/engine.js';
import { expressing } from '../../support/models.js';

describe('a step that failed for a missing value', () => {
  const toldOf = (value: string, fact: object, more: object = {}): string => {
    const model = expressing({ y: value });
    const node = (model['nodes'] as { readonly content: object }[])[1];
    const failed = Object.values(runSync(program(model), fact as Value, { trace: true }).trace ?? {}).find(
      ({ error }) => error,
    );
    const { error, input } = failed ?? {};
    if (error === undefined) throw new Error('it did not fail');
    return whatWasMissing(error, input, { ...node?.content, ...more });
  };

  for (const [value, fact, told] of [
    ['debts / income', { debts: 5 }, ': no income was given'],
    ['debts / income', {}, ': no debts and no income were given'],
    ['debts / income', { debts: 5, income: null }, ': no income was given'],
    ['1 + round(customer.income * 2)', { customer: { age: 1 } }, ': no customer.income was given'],
    ['1 + round(customer.income * 2)', {}, ': no customer was given'],
    ['$root["Base price (EUR)"] * Pieces', { Pieces: 2 }, ': no Base price (EUR) was given'],
    ['(bonus ?? 0) + $root.income * 2', {}, ': no income was given'],
    ['given == "income" ? income * 2 : 0', { given: 'income' }, ': no income was given'],
    ['rebate * 2 + ($["Net price"] ?? 0)', {}, ': no rebate was given'],
    ['"no rebate: " + rebate', {}, ': no rebate was given'],
    // Where nobody can tell.
    ['sum(map(items, #.price * 2))', { items: [{}] }, ''],
    ['sum(map(items as item, item.price * 2))', { items: [{}] }, ''],
    ['null * 2', {}, ''],
  ] as const)
    it(`names what ${value} lacks in ${JSON.stringify(fact)}`, () => expect(toldOf(value, fact)).to.equal(told));

  it('names nothing where a part of the fact, or each item of a list, comes in', () => {
    for (const more of [{ inputField: 'order' }, { executionMode: 'loop' }])
      expect(toldOf('debts / income', {}, more)).to.equal('');
  });

  it('is told so among the steps of an execution', () => {
    const model = expressing({ ratio: 'debts / income' });
    const { trace } = runSync(program(model), { debts: 5 }, { trace: true });
    const bundle = JSON.stringify({
      manifest: { entries: [{ content: 'a', links: {} }] },
      contents: { a: JSON.stringify(model) },
    });
    const { steps } = narrate({ kind: 'narrate', bundle, trace: JSON.stringify(trace), languages: [] });
    expect(steps.map(({ sentences }) => sentences)).to.deep.equal([
      ['failed: `/` does not take a number and a missing value (null): no income was given'],
    ]);
  });
});
