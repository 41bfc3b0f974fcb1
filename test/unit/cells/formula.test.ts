import { expect } from 'chai';
import { formulaMessage, zenOf } from '../../../workers/cells/formula.js';
import { columnOf, readCell } from '../../../workers/cells/index.js';
import { compileDmn, stringify, validate, type Diagnostic } from '../../../workers/engine/index.js';
import { checkExpression, compileExpression } from '../../../workers/engine/zen/index.js';
import { definitions } from '../../support/dmn.js';
import { buildScope } from '../../support/zen.js';

describe('a formula of a spreadsheet', () => {
  for (const [formula, zen] of [
    ['=ROUND(amount*rate/12;2)', 'round(amount * rate / 12, 2)'],
    ['=ROUND(amount*rate/12,2)', 'round(amount * rate / 12, 2)'],
    ['=IF(age>=18;"adult";"minor")', '(age >= 18 ? "adult" : "minor")'],
    ['=IF(AND(a=1,b<>2),c&"x",-d)', '((a == 1 and b != 2) ? string(c) + "x" : -d)'],
    ['="Rate: "&rate*100&"%"', '"Rate: " + string(rate * 100) + "%"'],
    ['=CONCATENATE("Rate: ",rate)', '("Rate: " + string(rate))'],
    ['=MAX(a, b)*5%', 'max([a, b]) * 0.05'],
    ['=SUM(1,5;2)', 'sum([1.5, 2])'],
    ['=NOT(TRUE)', 'not(true)'],
    ['=(1+2)*customer.age^2', '(1 + 2) * customer.age ^ 2'],
    ['=MOD(a;2)', '(a - 2 * floor(a / 2))'],
    ['=WENN(UND(alter<25;RUNDEN(a*1,19;2)>5);50;0)', '((alter < 25 and round(a * 1.19, 2) > 5) ? 50 : 0)'],
    ['=si(ou(a;b);1;2)', '((a or b) ? 1 : 2)'],
    ['=fee*1,19', 'fee * 1.19'],
    ['=(a+b)*0,5-c', '(a + b) * 0.5 - c'],
    ['=PYÖRISTÄ(a;2)', 'round(a, 2)'],
    ['=AVERAGE(a, b)', 'avg([a, b])'],
    ['=TODAY()', 'd().startOf("day")'],
    ['=HEUTE()+30', 'd().startOf("day").add(30, "day")'],
    ['=IF(NOW()>validUntil,"old","new")', '(d() > d(validUntil) ? "old" : "new")'],
    ['=YEAR(birth)', 'd(birth).year()'],
    ['=MOD(a+b;2)', '((a + b) - 2 * floor((a + b) / 2))'],
    ['=POWER(a+b;2)', '((a + b) ^ 2)'],
    ['=ROUNDUP(a*b;2)', '((a * b) < 0 ? floor((a * b) * 100) / 100 : ceil((a * b) * 100) / 100)'],
    ['=ARRONDI.SUP(a;0)', '(a < 0 ? floor(a) : ceil(a))'],
    ['=ABRUNDEN(a;1)', 'trunc(a, 1)'],
    ['=CEILING(a+1;5)', '(ceil((a + 1) / 5) * 5)'],
    ['=ROUND(a+b;-2)', '(round((a + b) / 100) * 100)'],
    ['=ROUND(a)', 'round(a)'],
    ['=FLOOR.MATH(a)', 'floor(a)'],
    ['=LEFT(zip;2)', 'extract(zip, "(?s)^.{0,2}")[0]'],
    ['=RECHTS(zip)', 'extract(zip, "(?s).{0,1}$")[0]'],
    ['=MID(zip;2;3)', 'extract(zip, "(?s)^.{0,1}(.{0,3})")[1]'],
    ['=IFS(a>10;"a";a>5;"b";TRUE;"c")', '(a > 10 ? "a" : (a > 5 ? "b" : (true ? "c" : null)))'],
    ['=SWITCH(a;1;"x";2;"y";"z")', '(a == 1 ? "x" : (a == 2 ? "y" : "z"))'],
    ['=IFERROR(a/b;0)', '((a / b) ?? 0)'],
    ['=ISBLANK(a)', '(a == null)'],
    ['=DATEDIF(birth;TODAY();"Y")', 'd(d().startOf("day")).diff(d(birth), "year")'],
    ['=EDATE(start;3)', 'd(start).add(3, "month")'],
  ] as const) {
    it(`${formula} is ${zen}`, () => expect(zenOf(formula)).to.equal(zen));
  }

  it('is not read where a comma may be one between thousands', () => {
    for (const formula of ['=fee*1,000', '=fee+12,500*2']) expect(zenOf(formula), formula).to.equal(null);
  });

  it('gives as an expression what a spreadsheet gives', () => {
    const data = { a: -2.11, b: 7, zip: '80331', none: '', lines: 'ab\ncd', birth: '2000-05-17', end: '2026-05-16' };
    for (const [formula, result] of [
      ['=ROUNDUP(a;1)', '-2.2'],
      ['=ROUNDUP(b/3;2)', '2.34'],
      ['=ROUNDDOWN(a;1)', '-2.1'],
      ['=CEILING(b;5)', '10'],
      ['=FLOOR(b;5)', '5'],
      ['=MROUND(b;5)', '5'],
      ['=LEFT(zip;2)', '"80"'],
      ['=LEFT(zip;9)', '"80331"'],
      ['=LEFT(none;2)', '""'],
      ['=RIGHT(zip;2)', '"31"'],
      ['=LEFT(lines;4)', '"ab\\nc"'],
      ['=RIGHT(lines;4)', '"b\\ncd"'],
      ['=MID(lines;2;3)', '"b\\nc"'],
      ['=MID(zip;2;3)', '"033"'],
      ['=MID(zip;9;3)', '""'],
      ['=IFS(b>10;"a";b>5;"b")', '"b"'],
      ['=SWITCH(b;1;"x";7;"y";"z")', '"y"'],
      ['=IFERROR(b/0;3)', '3'],
      ['=ISNUMBER(b)', 'true'],
      ['=DATEDIF(birth;end;"Y")', '25'],
      ['=DATEDIF(birth;end;"M")', '311'],
      ['=MOD(b+1;3)', '2'],
      ['=MOD(0-b;3)', '2'],
      ['=MOD(b;0-3)', '-2'],
    ] as const)
      expect(stringify(compileExpression(zenOf(formula) ?? '')(buildScope({ data }))), formula).to.equal(result);
  });

  it('is left to a person where ZEN has nothing of the kind, and what is none is none', () => {
    for (const text of [
      '=VLOOKUP(a;b;2)',
      '=IF(country<"b";1;2)',
      '=LEFT(a;n)',
      '=MID(a;0;1)',
      '=IFERROR(a/b+1;0)',
      '=DATEDIF(a;b;"MD")',
      '=A1+B2',
      '=ROUND(1',
      '=',
      'a + b',
      '=a..b',
      '=1+',
      '=TODAY()-birth',
      `=${'('.repeat(9000)}1`,
    ])
      expect(zenOf(text), text).to.equal(null);
  });

  it('is told in the same words wherever it stands, with what to write where that can be told', () => {
    for (const [formula, repair, advice] of [
      ['=n*2', 'n * 2'],
      ['= n * 2', 'n * 2'],
      ['=SUM(a;b)', 'sum([a, b])'],
      ['=5', '5'],
      ['="x"', '"x"'],
      [
        '=IF(c="FI";1;2)',
        '(c == "FI" ? 1 : 2)',
        'Write (c == "FI" ? 1 : 2). Capital and small letters differ here, and not in a spreadsheet.',
      ],
      ['=B2*1.1', null],
      ['=VLOOKUP(a;b;2)', null, 'There is no VLOOKUP here: what it looks up is a table of the decision.'],
      [
        '=PROPER(a)',
        null,
        'There is no PROPER here, nor anything that is sure to give the same: write it with other functions.',
      ],
    ] as const) {
      const hint =
        repair === null
          ? (advice ?? 'Write it with the names of fields in place of cells, and functions that are known here.')
          : (advice ?? `Write ${repair}.`);
      const told = [{ message: formulaMessage, hint }];
      const said = (list: readonly Diagnostic[]) => list.map((each) => ({ message: each.message, hint: each.hint }));
      expect(said(checkExpression(formula, 'standard')), `${formula}, an expression`).to.deep.equal(told);
      for (const others of ['1', '"gold"', 'true']) {
        expect(said(tableWith({ o: formula }, others)), `${formula}, a result beside ${others}`).to.deep.equal(told);
        if (formula.length > 4)
          expect(said(tableWith({ a: formula }, others)), `${formula}, a condition`).to.deep.equal(told);
      }
      const column = columnOf({}, false, [formula, '1']);
      expect(readCell(formula, column)?.readings).to.deep.equal(repair === null ? [] : [repair]);
    }
  });

  const literal = (text: string): string => `<literalExpression><text>${text}</text></literalExpression>`;
  const result = (text: string): string =>
    `<decisionTable><output name="o" typeRef="number"/><rule><outputEntry><text>${text}</text></outputEntry></rule></decisionTable>`;
  for (const [formula, repair] of [
    ['=n*2', 'n*2'],
    [' = n * 2', 'n * 2'],
    ['=if n = 1 then 2 else 3', 'if n = 1 then 2 else 3'],
    ['=SUM(B2:B5)', undefined],
    ['=B2*1.1', undefined],
    ['=VLOOKUP(n;m;2)', undefined],
  ] as const)
    for (const [where, logic] of [
      ['an expression', literal],
      ['a result', result],
    ] as const)
      it(`${formula} is told once in DMN, as ${where}`, () => {
        const document = definitions(`<inputData id="v" name="n"><variable name="n" typeRef="number"/></inputData>
          <decision id="d" name="d"><variable name="d" typeRef="number"/><informationRequirement><requiredInput href="#v"/></informationRequirement>
          ${logic(formula)}</decision>`);
        const { diagnostics } = compileDmn(document);
        const told = diagnostics.map((each) => ({
          message: each.message,
          repair: each.repair,
          severity: each.severity,
        }));
        const severity = repair === undefined ? undefined : 'warning';
        expect(told).to.deep.equal([{ message: formulaMessage, repair, severity }]);
      });
});

/** What is told of a table whose other row has cells like these. */
const tableWith = (cells: Readonly<Record<string, string>>, others: string): readonly Diagnostic[] => {
  const content = {
    inputs: [{ id: 'a', name: 'A', field: 'A' }],
    outputs: [{ id: 'o', name: 'O', field: 'O' }],
    rules: [
      { _id: 'r0', a: '1', o: others, ...cells },
      { _id: 'r1', a: '1', o: others },
    ],
  };
  const model = {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', content: {} },
      { id: 't', type: 'decisionTableNode', name: 'Rates', content: { hitPolicy: 'first', ...content } },
      { id: 'out', type: 'outputNode', name: 'Response', content: {} },
    ],
    edges: [
      { id: 'e', sourceId: 'in', targetId: 't' },
      { id: 'f', sourceId: 't', targetId: 'out' },
    ],
  };
  return validate(model, { knows: () => true });
};
