import { expect } from 'chai';
import { expressions, failureOf, program, runSync, single, table } from '../../../support/engine.js';

const node = (attributes: object) => single(expressions('n', { x: '1', all: '$root' }, attributes));

describe('transform attributes', () => {
  it('show one trace a round, none for a table without a match', () => {
    const model = single(
      table('t', { inputs: ['a'], outputs: ['x'] }, [{ i0: '5', o0: '1' }], {
        inputField: 'l',
        executionMode: 'loop',
        outputPath: 'o',
      }),
    );
    const outcome = runSync(program(model), { l: [{ a: 5 }, { a: 6 }, { a: 5 }] }, { trace: true });
    expect(outcome.trace?.['t']?.output).to.deep.equal({ o: [{ x: 1 }, null, { x: 1 }] });
    expect(outcome.trace?.['t']?.traceData).to.have.length(2);
  });

  it('refuse to loop over what is no array, or over too much', () => {
    const model = node({ inputField: 'l', executionMode: 'loop' });
    expect(failureOf(model, { l: { a: 1 } }).message).to.equal(
      'Node "n", input field: A node that loops needs an array as its input.',
    );
    const limits = { ...program(model).parts.limits, iterations: 2 };
    expect(failureOf(model, { l: [1, 2, 3] }, { limits }).error).to.include({
      code: 'limit_iterations',
      field: 'content.inputField',
    });
  });

  it('say where an input field fails', () => {
    const { error, message, trace } = failureOf(node({ inputField: "a - 'x'" }), { a: 1 });
    expect(error).to.deep.include({ nodeId: 'n', field: 'content.inputField', source: "a - 'x'" });
    expect(message).to.match(/^Node "n", input field: /);
    expect(trace?.['n']?.error).to.include({ code: 'type_error', field: 'content.inputField' });
  });
});
