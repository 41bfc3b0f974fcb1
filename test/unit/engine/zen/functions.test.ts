import { expect } from 'chai';
import { checkExpression, compileExpression } from '../../../../workers/engine/zen/index.js';
import { closureFunctions } from '../../../../workers/engine/zen/functions/closures.js';
import { functions, methods } from '../../../../workers/engine/zen/functions/index.js';
import { buildScope } from '../../../support/zen.js';

describe('the tables of functions and methods', () => {
  it('hold all of zen core 2', () => {
    expect([...functions.keys()].sort()).to.deep.equal(
      (
        'abs avg bool ceil contains d date dateString dayOfMonth dayOfWeek dayOfYear duration endOf endsWith extract flatten floor ' +
        'fuzzyMatch isNumeric keys len lower matches max median merge mergeDeep min mode monthOfYear monthString number rand round ' +
        'split startOf startsWith string sum time trim trunc type upper values weekOfYear weekdayString year'
      ).split(' '),
    );
    expect([...methods.keys()].sort()).to.deep.equal(
      (
        'add day dayOfYear diff endOf format hour isAfter isBefore isLeapYear isSame isSameOrAfter isSameOrBefore isToday isTomorrow ' +
        'isValid isYesterday minute month offsetName quarter second set startOf sub timestamp tz week weekday year'
      ).split(' '),
    );
  });

  for (const definition of [...functions.values(), ...methods.values(), ...closureFunctions.values()]) {
    it(`document ${definition.name} with an example that runs, and is true where it compares`, () => {
      expect(checkExpression(definition.example, 'standard')).to.deep.equal([]);
      const outcome = compileExpression(definition.example)(buildScope());
      if (definition.example.includes('==')) expect(outcome).to.equal(true);
      expect(definition.summary).to.match(/[.?]$|seconds$|A (date|time|duration)/);
    });
  }
});
