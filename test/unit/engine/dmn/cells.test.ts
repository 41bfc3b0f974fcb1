import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
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
    const told = ['This is none of the values of string of "Winter", "Summer".', 'Write one of "Winter", "Summer".'];
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
