import { expect } from 'chai';
import { dmnType, validate, type Diagnostic } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

/** A table with an input of a long name for each of the others, and so many rows. */
function table(rows: number, cell: (row: number) => string, inputs: readonly string[] = ['x']): string {
  const data = inputs.map((name) => `<inputData id="i-${name}" name="${name}"><variable name="${name}"/></inputData>`);
  const required = inputs.map(
    (name) => `<informationRequirement><requiredInput href="#i-${name}"/></informationRequirement>`,
  );
  const rules = Array.from(
    { length: rows },
    (_, row) =>
      `<rule><inputEntry><text>${cell(row)}</text></inputEntry><outputEntry><text>1</text></outputEntry></rule>`,
  );
  return definitions(
    `${data.join('')}<decision id="d" name="d"><variable name="d"/>${required.join('')}<decisionTable><input><inputExpression><text>${inputs[0] ?? ''}</text></inputExpression></input><output name="o"/>${rules.join('')}</decisionTable></decision>`,
  );
}

const faultsOf = (xml: string, timeLimitMs?: number): Diagnostic[] =>
  validate(
    { contentType: dmnType, xml },
    { knows: () => false, ...(timeLimitMs === undefined ? {} : { timeLimitMs }) },
  );

describe('the check of a DMN document', () => {
  for (const [what, cell] of Object.entries({
    'ends too early': () => '1 +',
    'is a name that is not there': (row: number) => `missing${row}`,
    'is right': (row: number) => `&gt; ${row}`,
  }))
    it(`ends at its time limit, and tells what was found and that the rest is not known: each cell ${what}`, () => {
      const rows = 20_000;
      const found = faultsOf(table(rows, cell), 30);
      expect(found.length).to.be.below(rows / 2);
      expect(found.at(-1)).to.include({ code: 'timeout', severity: 'unknown' });
      expect(found.slice(0, -1).every(({ severity }) => severity === 'warning')).to.equal(true);
    });

  it('is whole where the time is enough', () => {
    expect(
      faultsOf(
        table(100, () => '1 +'),
        60_000,
      ).length,
    ).to.equal(100);
    expect(faultsOf(table(100, () => '1')).length).to.equal(0);
  });

  it('guesses what is meant of some of the unknown names, where there are thousands and each is compared with hundreds', () => {
    const inputs = Array.from({ length: 600 }, (_, at) => `${'n'.repeat(80)}${at}`);
    const unknown = (row: number): string => `[${'n'.repeat(60)}${'m'.repeat(20)}${row}]`;
    const hints = faultsOf(table(1000, unknown, inputs)).map(({ hint = '' }) => hint);
    expect(hints.length).to.equal(1000);
    const guesses = hints.filter((hint) => hint.startsWith('Did you mean n'));
    expect(guesses.length).to.be.within(1, 100);
  });
});
