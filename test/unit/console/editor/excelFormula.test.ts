import { expect } from 'chai';
import { zenOf } from '../../../../src/console/editor/excelFormula.js';

describe('a formula of a spreadsheet', () => {
  for (const [formula, zen] of [
    ['=ROUND(amount*rate/12;2)', 'round(amount * rate / 12, 2)'],
    ['=ROUND(amount*rate/12,2)', 'round(amount * rate / 12, 2)'],
    ['=IF(age>=18;"adult";"minor")', '(age >= 18 ? "adult" : "minor")'],
    ['=IF(AND(a=1,b<>2),c&"x",-d)', '((a == 1 and b != 2) ? c + "x" : -d)'],
    ['=MAX(a, b)*5%', 'max([a, b]) * 0.05'],
    ['=SUM(1,5;2)', 'sum([1.5, 2])'],
    ['=NOT(TRUE)', 'not(true)'],
    ['=(1+2)*customer.age^2', '(1 + 2) * customer.age ^ 2'],
    ['=MOD(a;2)', '(a % 2)'],
  ] as const) {
    it(`${formula} is ${zen}`, () => expect(zenOf(formula)).to.equal(zen));
  }

  it('is left to a person where ZEN has nothing of the kind, and what is none is none', () => {
    for (const text of ['=VLOOKUP(a;b;2)', '=A1+B2', '=ROUND(1', '=', 'a + b', '=a..b', '=1+'])
      expect(zenOf(text), text).to.equal(null);
  });
});
