import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { compileDmn, stringify, type Value } from '../../workers/engine/index.js';

/** Documents with their tests beside them. Numbers that no JavaScript number holds stand as their text. */
const folder = path.resolve('test/golden/dmn');

interface Golden {
  readonly name: string;
  readonly input: Value;
  readonly select?: readonly string[];
  readonly output: unknown;
  readonly warnings?: readonly string[];
}

const longNumber = /(?<=[:[,])-?(?:\d{17,}|\d*\.\d{17,})(?=[,\]}])/g;
const options = { now: Date.UTC(2026, 0, 31), deadline: Infinity, random: () => 0.5 };

describe('documents of DMN with their tests', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.dmn'))) {
    const { program, diagnostics } = compileDmn(readFileSync(path.join(folder, file), 'utf8'));
    const tests = JSON.parse(readFileSync(path.join(folder, file.replace('.dmn', '.tests.json')), 'utf8')) as Golden[];
    it(`${file} has no faults`, () => expect(diagnostics).to.deep.equal([]));
    for (const { name, input, select, output, warnings } of tests) {
      for (const trace of [false, true]) {
        it(`${file}: ${name}${trace ? ', traced' : ''}`, () => {
          const outcome = program.run(input, { ...options, trace, ...(select === undefined ? {} : { select }) });
          if (outcome.status === 'FAILED') throw new Error(outcome.message);
          const text = stringify(outcome.result).replace(longNumber, (digits) => `"${digits}"`);
          expect(JSON.parse(text)).to.deep.equal(output);
          if (warnings !== undefined) expect(outcome.warnings.map(({ message }) => message)).to.include.members([...warnings]);
        });
      }
    }
  }

  it('a trace tells the rules that made a table’s output', () => {
    const { program } = compileDmn(readFileSync(path.join(folder, 'approval.dmn'), 'utf8'));
    const { trace } = program.run({ Applicant: { 'Monthly Income': 10 }, 'Loan Amount': 6 }, { ...options, trace: true });
    expect(trace?.['d_risk']?.traceData).to.deep.equal({ hitPolicy: 'PRIORITY', rules: [{ index: 0, id: 'r_any' }] });
    expect(trace?.['k_factorial']).to.include({ name: 'Factorial' });
  });
});
