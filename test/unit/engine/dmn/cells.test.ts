import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { compileDmn, type Value } from '../../../../workers/engine/index.js';
import { parseRow } from '../../../golden/rows.js';
import { definitions } from '../../../support/dmn.js';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const grade =
  '<itemDefinition name="grade"><typeRef>string</typeRef><allowedValues><text>"A", "B"</text></allowedValues></itemDefinition>';

/** A table of one rule, whose only cell with something in it stands in a column of that type. */
const table = (typeRef: string, cell: string, place: 'input' | 'output' | 'allowed'): string => {
  const input = `<input><inputExpression typeRef="${typeRef}"><text>the value</text></inputExpression>${
    place === 'allowed' ? `<inputValues><text>${escaped(cell)}</text></inputValues>` : ''
  }</input>`;
  return definitions(`${grade}<inputData id="v" name="the value"><variable name="the value" typeRef="${typeRef}"/></inputData>
    <decision id="d" name="d"><variable name="d"/><informationRequirement><requiredInput href="#v"/></informationRequirement>
      <decisionTable>${place === 'output' ? '' : input}<output name="o"${place === 'output' && typeRef !== '' ? ` typeRef="${typeRef}"` : ''}/>
      <rule id="r">${place === 'output' ? '' : `<inputEntry><text>${place === 'input' ? escaped(cell) : ''}</text></inputEntry>`}
      <outputEntry><text>${place === 'output' ? escaped(cell) : '1'}</text></outputEntry></rule></decisionTable></decision>`);
};
const tablePointer = '/definitions/decision/decisionTable';
const told = (typeRef: string, cell: string, place: 'input' | 'output' | 'allowed' = 'output') =>
  compileDmn(table(typeRef, cell, place)).diagnostics;
const outputs = (typeRef: string, cell: string): unknown =>
  told(typeRef, cell).map(({ severity, code, message, source }) => [severity, code, message, source]);

/** Rows of `place;type of the column;cell;what of it is told;what to write`; nothing is told of a cell without the last. */
const rows = readFileSync(path.resolve('test/golden/cells/feel.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line, index) => ({ at: `test/golden/cells/feel.txt:${index + 1}`, columns: parseRow(line) }))
  .filter(({ columns }) => columns.length === 5);

describe('a cell of a DMN table', () => {
  for (const { at, columns } of rows) {
    const [place, type = '', cell = '', part = '', hint = ''] = columns as ['input' | 'output', ...string[]];
    it(`${at} ${cell} ${hint === '' ? 'is nothing to tell of' : 'is told with what to write'}, and a repair has no fault`, () => {
      const found = told(type, cell, place);
      expect(found.map((each) => each.hint)).to.deep.equal(hint === '' ? [] : [hint]);
      for (const { pointer, source = '', span: [from, to] = [0, 0] } of place === 'input' ? found : [])
        expect([pointer, source.slice(from, to)]).to.deep.equal([`${tablePointer}/rule/inputEntry`, part]);
      const [, meant] = /^(?:Write|For .* write) (.*)\.$/.exec(hint) ?? [];
      const isExample = meant === undefined || /^(?:it as|one of) /.test(meant);
      const wanted = hint === 'Leave the cell empty.' ? '' : isExample ? undefined : meant;
      expect(found.map(({ repair }) => repair)).to.deep.equal(hint === '' ? [] : [wanted]);
      if (wanted !== undefined) expect(told(type, wanted, place), `${cell} → ${wanted}`).to.deep.equal([]);
    });
  }
});

describe('an output cell that is a value of another type than its column', () => {
  it('is told by the type of the decision, where the one column has none and one rule gives the value', () => {
    const ofDecision = (policy: string): unknown =>
      compileDmn(
        table('', '"22"', 'output')
          .replace('<variable name="d"/>', '<variable name="d" typeRef="number"/>')
          .replace('<decisionTable>', `<decisionTable ${policy}>`),
      ).diagnostics.map(({ message }) => message);
    for (const policy of ['', 'hitPolicy="FIRST"', 'hitPolicy="COLLECT" aggregation="SUM"'])
      expect(ofDecision(policy), policy).to.deep.equal(['Output 1 is a string, which is not of its type: number.']);
    for (const policy of ['COLLECT', 'RULE ORDER', 'COLLECT" aggregation="COUNT'])
      expect(ofDecision(`hitPolicy="${policy}"`), policy).to.deep.equal([]);
  });

  it('is told by a check, since it is null whenever its rule matches', () => {
    expect(outputs('string', '22')).to.deep.equal([
      ['warning', 'type_error', 'Output 1 is a number, which is not of its type: string.', '22'],
    ]);
    expect(outputs('number', '"22"')).to.deep.equal([
      ['warning', 'type_error', 'Output 1 is a string, which is not of its type: number.', '"22"'],
    ]);
    expect(outputs('grade', 'true')).to.have.lengthOf(1);
  });
});

describe('an input that is none of the values that its column has', () => {
  it('is named by its expression in the warning of the run, with its source', () => {
    const { program } = compileDmn(table('string', '"a", "b"', 'allowed'));
    const { warnings } = program.run(
      { 'the value': 'c' },
      { trace: false, now: 0, deadline: Infinity, random: () => 0.5 },
    );
    expect(warnings).to.deep.equal([
      {
        ...{ nodeId: 'd', node: 'd', source: 'the value', span: [0, 9] },
        message: 'The value of "the value" is none of those that the table takes.',
      },
    ]);
  });
});

describe('an input cell that is none of the values that its column has', () => {
  const among = (values: string, cell: string): unknown[] => {
    const xml = table('string', values, 'allowed').replace('<inputEntry><text>', `<inputEntry><text>${escaped(cell)}`);
    return compileDmn(xml).diagnostics.map(({ message, hint }) => [message, hint]);
  };

  it('is told by a check, with those that it may be', () => {
    const told = [
      'This is none of the values that are allowed: "Winter", "Summer".',
      'Write one of "Winter", "Summer".',
    ];
    for (const cell of ['"Autumn"', 'not("Autumn")', '"Winter","Autumn"'])
      expect(among('"Winter", "Summer"', cell), cell).to.deep.equal([told]);
    expect(among('"Winter", "Summer"', '"winter"')).to.deep.equal([[told[0], 'For what is meant write "Winter".']]);
  });

  it('is nothing where it is one of them, or they are not known without a fact', () => {
    for (const cell of ['"Winter"', 'not("Summer")', '"Winter","Summer"', '-', ''])
      expect(among('"Winter", "Summer"', cell), cell).to.deep.equal([]);
    expect(among('"Winter", the value', '"Autumn"')).to.deep.equal([]);
  });
});

describe('an input cell that never matches what its column has', () => {
  it('is told where a function of the language has no value by what is written', () => {
    const calls: readonly (readonly [type: string, cell: string, message: string])[] = [
      ['string', 'contains(?, "a", "b")', '`contains` takes at most 2 arguments, not 3'],
      ['string', 'contains(?)', '`contains` needs `match`'],
      ['string', 'contains(string: ?, find: "a")', '`contains` has no parameter `string`, `find`'],
      ['string', 'matches(?, "(?=a)")', '`matches` takes no group with a question mark but `(?:…)`'],
      ['date', 'date("2026-13-01")', '`date` takes a text like "2012-12-25"'],
      ['date', '< date("31.01.2026")', '`date` takes a text like "2012-12-25"'],
      ['dayTimeDuration', '> duration("P1X")', '`duration` takes a text like "P1DT2H" or "P1Y2M"'],
    ];
    for (const [type, cell, message] of calls)
      expect(
        told(type, cell, 'input').map((each) => each.message),
        cell,
      ).to.deep.equal([message]);
  });

  it('so are the values that a column or a type allows', () => {
    const place = `${tablePointer}/input/inputValues`;
    expect(told('number', '"low", "high"', 'allowed').map(({ pointer }) => pointer)).to.deep.equal([place, place]);
    expect(told('number', '1,2', 'allowed')).to.deep.equal([]);
    expect(told('number', '[10..5]', 'allowed').map(({ hint }) => hint)).to.deep.equal(['Write [5..10].']);
    expect(told('grade', '"A", "C"', 'allowed').map(({ span }) => span)).to.deep.equal([[5, 8]]);
    expect(told('number', '[5..10], 20', 'allowed')).to.deep.equal([]);
    const type =
      '<itemDefinition id="i" name="n"><typeRef>number</typeRef><allowedValues><text>"a"</text></allowedValues></itemDefinition>';
    expect(compileDmn(definitions(type)).diagnostics.map(({ nodeId }) => nodeId)).to.deep.equal(['i']);
  });
});

describe('an input cell that is true or false, and does not say `?`', () => {
  const decided = (type: string, cell: string, value: Value): unknown => {
    const { program, diagnostics } = compileDmn(table(type, cell, 'input'));
    const options = { trace: false, now: 0, deadline: Infinity, random: () => 0.5 };
    const outcome = program.run({ 'the value': value }, options);
    const { d } = (outcome.status === 'COMPLETED' ? outcome.result : {}) as { d?: Value };
    return [d === 1, diagnostics.map(({ message }) => message), outcome.warnings.map(({ message }) => message)];
  };
  const cells: readonly (readonly [type: string, cell: string, yes: Value, no: Value])[] = [
    ['number', 'the value > 5', 6, 5],
    ['number', 'the value in [1..5]', 5, 6],
    ['number', 'the value between 1 and 5', 5, 6],
    ['number', 'the value > 1 and (the value < 5 or odd(the value))', 7, 6],
    ['number', 'some each in [1, 2] satisfies each = the value', 2, 3],
    ['number', 'if the value > 5 then true else false', 6, 5],
    ['number', 'odd(the value)', 5, 6],
    ['number', 'not(the value = 5)', 6, 5],
    ['number', '1, the value > 5', 6, 2],
    ['number', '2 + 2 = 4', 1, null],
    ['', 'the value > 5', 6, 5],
    ['', 'the value instance of number', 6, 'a'],
    ['string', 'contains(the value, "a")', 'cat', 'dog'],
    ['string', 'the value = "a" or the value = "b"', 'b', 'c'],
    ['date', 'the value < date("2026-01-01")', '2025-12-31', '2026-01-01'],
    ['boolean', 'the value = false', false, true],
    ['boolean', 'not(the value = true)', false, true],
    ['boolean', '1 < 2', true, false],
  ];
  for (const [type, cell, yes, no] of cells)
    it(`holds where it is true: ${cell} of ${type || 'any type'}`, () => {
      expect(decided(type, cell, yes)).to.deep.equal([true, [], []]);
      if (no !== null) expect(decided(type, cell, no)).to.deep.equal([false, [], []]);
    });

  it('holds of no null that it can say nothing of', () => {
    for (const cell of ['the value > 5', 'the value in [1..5]', 'not(the value > 5)', 'odd(the value)'])
      expect(decided('number', cell, null), cell).to.have.property('0', false);
    expect(decided('boolean', 'the value < null', null)).to.have.property('0', false);
  });

  it('is a value where it is one, of which it is told where no value is equal to it', () => {
    expect(decided('boolean', 'the value', true)).to.deep.equal([true, [], []]);
    expect(decided('number', 'the value', 5)).to.deep.equal([true, [], []]);
    expect(decided('number', 'true', 5)).to.deep.equal([false, ['A number and a boolean cannot be compared.'], []]);
  });
});
