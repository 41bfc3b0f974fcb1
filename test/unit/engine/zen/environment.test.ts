import { expect } from 'chai';
import { compileExpression } from '../../../../workers/engine/zen/index.js';
import { defaultLimits } from '../../../../workers/engine/limits.js';
import { buildScope } from '../../../support/zen.js';

/** The variables that an expression reads of an environment of A, B and C. */
function readBy(source: string): string[] {
  const read: string[] = [];
  const scope = buildScope({ data: { name: 'B', list: [1, 2], no: false }, env: { A: 1, B: { x: 'b' }, C: null } });
  const variableReads = { noteRead: (name: string) => read.push(name), noteAllRead: () => read.push('all') };
  compileExpression(source, { limits: defaultLimits })({ ...scope, run: { ...scope.run, variableReads } });
  return read;
}

describe('what an expression reads of the environment', () => {
  for (const [source, read] of [
    ['name', []],
    ['$env.A', ['A']],
    ["$env['A']", ['A']],
    ['$env.B.x', ['B']],
    ['$env.D.x', ['D']],
    ['$env[name]', ['B']],
    ['$env[name].x', ['B']],
    ["$env['A' + 'B']", ['AB']],
    ['$env.A == $env.C', ['A', 'C']],
    ['no ? $env.A : $env.C', ['C']],
    ['no and $env.A', []],
    ['map(list, $env.A)', ['A', 'A']],
    ['`${$env.A}`', ['A']],
    ['$env', ['all']],
    ['$root.$env', ['all']],
    ['keys($env)', ['all']],
    ['[$env]', ['all']],
    ['x = $env; x.A', ['all']],
  ] as const) {
    it(`is ${read.length === 0 ? 'nothing' : read.join(' and ')}: ${source}`, () => {
      expect(readBy(source)).to.deep.equal([...read]);
    });
  }
});
