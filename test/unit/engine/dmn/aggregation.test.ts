import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const collecting = (aggregation: string, outputs: readonly string[]): string =>
  definitions(
    `<decision id="d" name="d"><variable name="d"/><decisionTable hitPolicy="COLLECT" aggregation="${aggregation}"><output name="o"/>` +
      outputs.map((cell) => `<rule><outputEntry><text>${cell}</text></outputEntry></rule>`).join('') +
      '</decisionTable></decision>',
  );

function answered(aggregation: string, outputs: readonly string[]): unknown[] {
  const { program, diagnostics } = compileDmn(collecting(aggregation, outputs));
  const { warnings, ...outcome } = program.run({}, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
  const result = outcome.status === 'COMPLETED' ? (outcome.result as { d: unknown }).d : outcome.message;
  return [result, ...diagnostics.map(({ message }) => message), ...warnings.map(({ message }) => message)];
}

describe('the outputs that a table of DMN collects', () => {
  it('are added up, counted, and the least and the greatest is found', () => {
    expect(answered('SUM', ['1', '2.5'])).to.deep.equal([3.5]);
    expect(answered('COUNT', ['1', '"x"', 'null'])).to.deep.equal([3]);
    expect(answered('MIN', ['2', '1', '3'])).to.deep.equal([1]);
    expect(answered('MAX', ['"a"', '"c"', '"b"'])).to.deep.equal(['c']);
    expect(answered('SUM', ['duration("PT1H")', 'duration("PT2H")'])).to.deep.equal(['PT3H']);
  });

  it('are null with a reason where they have no sum and no order', () => {
    expect(answered('SUM', ['"1"', '"2"'])).to.deep.equal([null, '`sum` takes numbers or durations, not a string']);
    expect(answered('MAX', ['1', '"2"'])).to.deep.equal([null, '`max` takes items that have an order, not a string']);
  });

  it('by another aggregation than the standard’s are a fault, and no maximum', () => {
    expect(answered('AVERAGE', ['1', '3'])[1]).to.equal('There is no aggregation "AVERAGE".');
  });
});

describe('an output that is not among the values of its column', () => {
  const ordering = (policy: string, outputs: readonly string[]): unknown => {
    const { program } = compileDmn(
      definitions(
        `<decision id="d" name="d"><variable name="d"/><decisionTable hitPolicy="${policy}">` +
          '<output name="o"><outputValues><text>"high", "low"</text></outputValues></output>' +
          outputs.map((cell) => `<rule><outputEntry><text>"${cell}"</text></outputEntry></rule>`).join('') +
          '</decisionTable></decision>',
      ),
    );
    const outcome = program.run({}, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
    return outcome.status === 'COMPLETED' ? (outcome.result as { d: unknown }).d : outcome.message;
  };

  it('comes after those that are, in the order of outputs and where the first of them counts', () => {
    const outputs = ['odd', 'low', 'high'];
    expect(ordering('PRIORITY', outputs)).to.equal('high');
    expect(ordering('OUTPUT ORDER', outputs)).to.deep.equal(['high', 'low', 'odd']);
  });
});

describe('a table of DMN of which any rule may count', () => {
  const cells = [
    '1',
    '"1"',
    'true',
    'null',
    'date("2024-01-01")',
    'duration("PT1H")',
    'duration("P1Y")',
    '[1]',
    '{a: 1}',
  ];

  function given(outputs: readonly string[]): readonly [value: unknown, warnings: number] {
    const { program } = compileDmn(
      definitions(
        '<decision id="d" name="d"><variable name="d"/><decisionTable hitPolicy="ANY"><output name="o"/>' +
          outputs.map((cell) => `<rule><outputEntry><text>${cell}</text></outputEntry></rule>`).join('') +
          '</decisionTable></decision>',
      ),
    );
    const { warnings, ...outcome } = program.run({}, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
    return [outcome.status === 'COMPLETED' ? (outcome.result as { d: unknown }).d : outcome.message, warnings.length];
  }

  it('has a value where all rules that match give the same one, and none with a warning where any gives another', () => {
    for (const one of cells) {
      const [alone] = given([one]);
      for (const other of cells)
        expect(given([one, one, other]), `${one} beside ${other}`).to.deep.equal(
          one === other ? [alone, 0] : [null, 1],
        );
    }
  });
});
