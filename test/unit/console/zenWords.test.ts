import { expect } from 'chai';
import { zenFunctions } from '#openapi/language.gen.js';
import { closureFunctions } from '../../../workers/engine/zen/functions/closures.js';
import { functions } from '../../../workers/engine/zen/functions/index.js';

describe('the words that the editor offers', () => {
  it('are every function of the language, with what it takes', () => {
    const taken = [...functions].map(([name, { parameters }]) => [
      name,
      `(${parameters.map((each) => each.name + (each.optional === true ? '?' : '')).join(', ')})`,
    ]);
    const closures = [...closureFunctions.keys()].map((name) => [name, '(list, condition)']);
    expect(zenFunctions).to.deep.equal(Object.fromEntries([...taken, ...closures]));
  });
});
