import { expect } from 'chai';
import { compile, type Program, type Value } from '../../../../workers/engine/index.js';
import { approval, dmn } from '../../../support/dmn.js';
import { calling } from '../../../support/models.js';

describe('a document of DMN that a decision node of JDM calls', () => {
  const called = compile(dmn(approval), { resolve: () => undefined });
  const caller: Program = compile(calling('approval'), { resolve: () => called });
  const run = async (fact: Value, trace = false) =>
    caller.run(fact, { env: {}, trace, now: 0, deadline: Infinity, random: () => 0.5 });

  it('tells in the outcome of the whole why a value was null', async () => {
    for (const trace of [false, true]) {
      const { warnings = [] } = await run({ 'Applicant Age': 'thirty', Amount: 500 }, trace);
      expect(warnings.map(({ nodeId, message }) => [nodeId, message]).at(0)).to.deep.equal([
        'age',
        'Input "Applicant Age" is not of its type: number.',
      ]);
    }
  });

  it('tells nothing where nothing was', async () => {
    expect(await run({ 'Applicant Age': 30, Amount: 500 })).not.to.have.property('warnings');
  });
});
