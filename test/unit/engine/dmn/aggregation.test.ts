import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const collecting = (aggregation: string, outputs: readonly string[]): string =>
  definitions(
    `<decision id="d" name="d"><variable name="d"/><decisionTable hitPolicy="COLLECT" aggregation="${aggregation}"><output name="o"/>` +
      outputs.map((cell) => `<rule><outputEntry><text>${cell}</text></outputEntry></rule>`).join('') +
      '</decisionTable></decision>',
  );

const answered = (aggregation: string, outputs: readonly string[]): unknown[] =>
  answersOf(collecting(aggregation, outputs));

/** The result, and what a check and the run tell. */
function answersOf(xml: string): unknown[] {
  const { program, diagnostics } = compileDmn(xml);
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

  it('by another aggregation than the standard’s are null, of which a check and the run tell', () => {
    const told = 'There is no aggregation "AVERAGE".';
    expect(answered('AVERAGE', ['1', '3'])).to.deep.equal([null, told, told]);
  });
});

describe('a table of DMN with a hit policy that there is not', () => {
  it('is null, of which a check and the run tell', () => {
    for (const policy of ['LAST', 'first', 'RULE_ORDER', 'C+']) {
      const xml = collecting('SUM', ['1']).replace('hitPolicy="COLLECT" aggregation="SUM"', `hitPolicy="${policy}"`);
      const told = `There is no hit policy "${policy}".`;
      expect(answersOf(xml), policy).to.deep.equal([null, told, told]);
    }
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

  const listing = (values: string, attributes: string, cells: readonly string[], fallback = ''): string =>
    definitions(
      `<decision id="d" name="d"><variable name="d"/><decisionTable ${attributes}><output name="o">` +
        (values === '' ? '' : `<outputValues><text>${values}</text></outputValues>`) +
        (fallback === '' ? '' : `<defaultOutputEntry><text>${fallback}</text></defaultOutputEntry>`) +
        `</output>${cells.map((cell) => `<rule><outputEntry><text>${cell}</text></outputEntry></rule>`).join('')}` +
        '</decisionTable></decision>',
    );
  const told = (...table: Parameters<typeof listing>): unknown[] =>
    compileDmn(listing(...table)).diagnostics.map(({ message, hint }) => [message, hint]);

  it('is told by a check, of rules and of the default, with those that it may be', () => {
    const of = (what: string): string => `${what} is a string, which is not of its type: any value of "high", "low".`;
    expect(told('"high", "low"', '', ['"odd"'])).to.deep.equal([[of('Output 1'), 'Write one of "high", "low".']]);
    expect(told('"high", "low"', '', ['"low"'], '"odd"')).to.deep.equal([
      [of('The default output'), 'Write one of "high", "low".'],
    ]);
    expect(told('[1..5]', '', ['7'])).to.have.length(1);
    for (const cell of ['"low"', 'null', '', '"lo" + "w"']) expect(told('"high", "low"', '', [cell])).to.deep.equal([]);
    expect(told('[1..5]', '', ['5'])).to.deep.equal([]);
  });

  it('has no place where no output lists any: a check tells that the policy has no order', () => {
    for (const policy of ['PRIORITY', 'OUTPUT ORDER']) {
      const [first] = told('', `hitPolicy="${policy}"`, ['"low"']);
      expect(first).to.have.property('0', `No output lists values, whose order ${policy} means.`);
      expect(told('"low"', `hitPolicy="${policy}"`, ['"low"'])).to.deep.equal([]);
    }
    expect(told('', 'hitPolicy="FIRST"', ['"low"'])).to.deep.equal([]);
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
