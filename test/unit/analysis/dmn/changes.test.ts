import { expect } from 'chai';
import fc from 'fast-check';
import { analyse } from '../../../../workers/analysis/index.js';
import { dmnChanges } from '../../../../workers/analysis/dmn/changes.js';
import { noDeadline } from '../../../../workers/analysis/deadline.js';
import type { ModelChange } from '../../../../workers/analysis/report.js';
import { compileDmn, stringify, type Value } from '../../../../workers/engine/index.js';
import { definitions, dmn } from '../../../support/dmn.js';
import { tableDocument } from '../../../support/dmnTables.js';
import { cases } from '../../../support/environment.js';

const inputs = [
  { name: 'n', type: 'number' },
  { name: 't', type: 'string', allowed: '"a", "b"' },
];
const cell = fc.constantFrom('-', '-', '< 2', '>= 1', '[1..2]', '2', 'not(1)');
const rows = fc.array(fc.tuple(cell, fc.constantFrom('-', '"a"', 'not("a")'), fc.constantFrom('1', '2', '3')), {
  minLength: 1,
  maxLength: 4,
});
const facts = [null, 0, 1, 1.5, 2, 3].flatMap((n) => [null, 'a', 'b'].map((t) => ({ n, t })));

const resultOf = (xml: string): ((fact: Value) => string) => {
  const { program } = compileDmn(xml);
  return (fact) => {
    const outcome = program.run(fact, { trace: false, now: 0, random: () => 0, deadline: Infinity });
    return outcome.status === 'COMPLETED' ? stringify(outcome.result) : outcome.message;
  };
};

const aggregated = (xml: string): string => xml.replace('hitPolicy="COLLECT"', 'hitPolicy="COLLECT" aggregation="SUM"');

async function changeBetween(before: string, after: string): Promise<ModelChange | null> {
  const [old, young] = [before, after].map((xml) => ({
    document: dmn(xml),
    program: compileDmn(xml).program,
    linked: '',
  }));
  if (old === undefined || young === undefined) return null;
  const { report, unconfirmed } = await analyse({ version: young, against: old, until: performance.now() + 20_000 });
  expect(unconfirmed).to.equal(0);
  return report.change;
}

describe('what two versions of a DMN decision do otherwise', function () {
  this.timeout(600_000);

  for (const hitPolicy of ['UNIQUE', 'ANY', 'FIRST', 'PRIORITY', 'COLLECT', 'SUM', 'RULE ORDER', 'OUTPUT ORDER'])
    it(`is in a region wherever their results differ, under ${hitPolicy}`, () => {
      fc.assert(
        fc.property(rows, rows, (one, other) => {
          const [before, after] = [one, other].map((all) => {
            const policy = hitPolicy === 'SUM' ? 'COLLECT' : hitPolicy;
            const xml = tableDocument({ hitPolicy: policy, inputs, rows: all, outputValues: '2, 1, 3' });
            return hitPolicy === 'SUM' ? aggregated(xml) : xml;
          }) as [string, string];
          const { tables, reason } = dmnChanges(before, after, { imported: undefined, until: noDeadline });
          expect(reason).to.equal(null);
          const [old, young] = [resultOf(before), resultOf(after)];
          for (const fact of facts) {
            if (old(fact) === young(fact)) continue;
            const isTold = tables.some(({ change: { boxes, regions } }) =>
              regions.some(({ box }) => boxes.dimensions.every((each, at) => each.isIn(fact, box[at] ?? []))),
            );
            expect(isTold, JSON.stringify(fact)).to.equal(true);
          }
        }),
        { numRuns: cases(100) },
      );
    });

  const text = (source: string): string => `<text>${source.replaceAll('<', '&lt;')}</text>`;
  interface Shop {
    readonly rate?: string;
    readonly loyal?: string;
    readonly price?: string;
  }
  /** A price by a table whose rules hold together, and one over what is computed of two dates. */
  const shop = ({ rate = '0.1', loyal = 'P5Y', price = '100 * (1 - Rate) - Bonus' }: Shop): string =>
    definitions(`<inputData id="total" name="Order total"><variable name="Order total" typeRef="number"/></inputData>
<inputData id="since" name="Since"><variable name="Since" typeRef="date"/></inputData>
<inputData id="day" name="Order date"><variable name="Order date" typeRef="date"/></inputData>
<decision id="rate" name="Rate"><variable name="Rate" typeRef="number"/><informationRequirement><requiredInput href="#total"/></informationRequirement>
<decisionTable hitPolicy="UNIQUE"><input><inputExpression>${text('Order total')}</inputExpression></input><output name="r"/>
<rule id="r1"><inputEntry>${text('< 100')}</inputEntry><outputEntry>${text(rate)}</outputEntry></rule>
<rule id="r2"><inputEntry>${text('[50..200]')}</inputEntry><outputEntry>${text('0.2')}</outputEntry></rule>
<rule id="r3"><inputEntry>${text('> 200')}</inputEntry><outputEntry>${text('0.3')}</outputEntry></rule></decisionTable></decision>
<decision id="years" name="Loyalty"><variable name="Loyalty" typeRef="yearMonthDuration"/><informationRequirement><requiredInput href="#since"/></informationRequirement><informationRequirement><requiredInput href="#day"/></informationRequirement>
<literalExpression>${text('years and months duration(Since, Order date)')}</literalExpression></decision>
<decision id="bonus" name="Bonus"><variable name="Bonus" typeRef="number"/><informationRequirement><requiredDecision href="#years"/></informationRequirement>
<decisionTable hitPolicy="FIRST"><input><inputExpression>${text('Loyalty')}</inputExpression></input><output name="b"/>
<rule id="b1"><inputEntry>${text(`>= duration("${loyal}")`)}</inputEntry><outputEntry>${text('20')}</outputEntry></rule>
<rule id="b2"><inputEntry>${text('-')}</inputEntry><outputEntry>${text('0')}</outputEntry></rule></decisionTable></decision>
<decision id="price" name="Price"><variable name="Price" typeRef="number"/><informationRequirement><requiredDecision href="#rate"/></informationRequirement><informationRequirement><requiredDecision href="#bonus"/></informationRequirement>
<literalExpression>${text(price)}</literalExpression></decision>`);

  it('is told in words for each table that changed, where rules hold together and where dates are computed too', async () => {
    const change = await changeBetween(shop({}), shop({ rate: '0.15', loyal: 'P6Y' }));
    expect(change).to.deep.include({ status: 'different', reason: null, undecided: [] });
    expect(change?.regions.map(({ when }) => when)).to.deep.equal([
      'Order total < 50',
      'Loyalty in [duration("P5Y")..duration("P6Y"))',
    ]);
  });

  it('is told in words of the tables also where more than tables changed, whose names the reason has', async () => {
    const change = await changeBetween(shop({}), shop({ rate: '0.15', price: '99 * (1 - Rate) - Bonus' }));
    expect(change?.regions.map(({ when }) => when)).to.deep.equal(['Order total < 50', null]);
    expect(change?.reason).to.equal('“Price” differs in more than the rules of a table');
  });

  it('is shown by numbers of which a product tells something, where an input may have any', async () => {
    const insured = (rate: string): string =>
      definitions(`<inputData id="sum" name="Sum"><variable name="Sum" typeRef="number"/></inputData>
<inputData id="age" name="Age"><variable name="Age" typeRef="number"/></inputData>
<decision id="rate" name="Rate"><variable name="Rate" typeRef="number"/><informationRequirement><requiredInput href="#age"/></informationRequirement>
<decisionTable hitPolicy="FIRST"><input><inputExpression>${text('Age')}</inputExpression></input><output name="r"/>
<rule id="r1"><inputEntry>${text('< 3')}</inputEntry><outputEntry>${text('4')}</outputEntry></rule>
<rule id="r2"><inputEntry>${text('[3..9]')}</inputEntry><outputEntry>${text(rate)}</outputEntry></rule></decisionTable></decision>
<decision id="premium" name="Premium"><variable name="Premium" typeRef="number"/><informationRequirement><requiredInput href="#sum"/></informationRequirement>
<informationRequirement><requiredDecision href="#rate"/></informationRequirement><literalExpression>${text('Sum * Rate / 100')}</literalExpression></decision>`);
    const { regions = [] } = (await changeBetween(insured('6'), insured('7'))) ?? {};
    expect(regions).to.have.length(1);
    expect(regions[0]).to.deep.include({ when: 'Age in [3..9]', before: { Premium: 6 }, after: { Premium: 7 } });
    expect(regions[0]?.witness.fact).to.deep.include({ Sum: 100 });
  });

  it('is nothing where only the layout differs', async () => {
    const laidOut = shop({}).replace(
      '</definitions>',
      '<dmndi:DMNDI xmlns:dmndi="https://www.omg.org/spec/DMN/20191111/DMNDI/"><dmndi:DMNDiagram/></dmndi:DMNDI></definitions>',
    );
    expect(await changeBetween(shop({}), laidOut)).to.deep.include({ status: 'equal', regions: [] });
  });
});
