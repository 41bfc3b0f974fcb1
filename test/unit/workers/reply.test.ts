import { expect } from 'chai';
import { EngineError, redactor, type Outcome, type Value } from '../../../workers/engine/index.js';
import { brokenReply, replyOf, type Saying } from '../../../workers/reply.js';

const saying = (traced = false): Saying => ({
  redactor: redactor(['hush1234']),
  traced,
  factText: () => '{"said":"hush1234"}',
});

const fact = '{"said":"[REDACTED]"}';

/** Deeper than any text of JSON may be. */
function nested(): Value {
  let value: Value = null;
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  return value;
}

const trace = { n1: { id: 'n1', name: 'hush1234' } } as unknown as NonNullable<Outcome['trace']>;

describe('the reply to a completed run', () => {
  const completed: Outcome = { status: 'COMPLETED', result: { key: 'hush1234' }, engineMs: 1.2345, trace };

  it('has the result as it is, and everything else redacted', () => {
    expect(replyOf(completed, saying(true))).to.deep.equal({
      kind: 'done',
      status: 'COMPLETED',
      result: '{"key":"hush1234"}',
      trace: '{"n1":{"id":"n1","name":"[REDACTED]"}}',
      engineUs: 1235,
      error: null,
      recordedFact: fact,
      recordedResult: '{"key":"[REDACTED]"}',
    });
  });

  it('has no trace unless it was asked for, and records no second result where there is nothing to redact', () => {
    expect(replyOf({ ...completed, result: 1 }, saying())).to.include({
      result: '1',
      trace: null,
      recordedResult: null,
    });
  });

  it('is a failure when the result is no JSON, with the trace that there is', () => {
    const { trace: _trace, ...untraced } = completed;
    for (const [outcome, shown] of [
      [{ ...untraced, result: nested() }, null],
      [{ ...completed, result: nested() }, '{"n1":{"id":"n1","name":"[REDACTED]"}}'],
    ] as const) {
      const reply = replyOf(outcome, saying());
      expect(reply).to.include({ kind: 'done', status: 'FAILED', trace: shown, engineUs: 1235, recordedFact: fact });
      if (reply.kind !== 'done') expect.fail(reply.kind);
      expect(JSON.parse(reply.error ?? '')).to.include({ code: 'limit_depth' });
      expect(reply.result).to.match(/^\{"error":".*nests deeper than/);
    }
  });

  it('is left to others when something else is wrong with the result', () => {
    const outcome: Outcome = { ...completed, result: 1n as unknown as Value };
    expect(() => replyOf(outcome, saying())).to.throw(TypeError, 'BigInt');
  });
});

describe('the reply to a failed run', () => {
  const failed = (code: EngineError['code']): Outcome => ({
    status: 'FAILED',
    error: new EngineError(code, 'No hush1234 here.', { nodeId: 'n1', source: 'hush1234' }).toFault(),
    message: 'node 1: No hush1234 here.',
    engineMs: 0.5,
    trace,
  });

  it('has message, fault and trace redacted', () => {
    expect(replyOf(failed('type_error'), saying())).to.deep.equal({
      kind: 'done',
      status: 'FAILED',
      result: '{"error":"node 1: No [REDACTED] here."}',
      trace: '{"n1":{"id":"n1","name":"[REDACTED]"}}',
      engineUs: 500,
      error: '{"code":"type_error","message":"No [REDACTED] here.","nodeId":"n1","source":"[REDACTED]"}',
      recordedFact: fact,
      recordedResult: null,
    });
  });

  for (const [code, reason] of [
    ['timeout', 'timeout'],
    ['limit_memory', 'memory'],
  ] as const) {
    it(`says that it was stopped: ${reason}`, () => {
      const message = 'node 1: No [REDACTED] here.';
      expect(replyOf(failed(code), saying())).to.deep.equal({
        kind: 'stopped',
        reason,
        message,
        engineUs: 500,
        recordedFact: fact,
      });
    });
  }
});

describe('the reply to a run that broke the engine', () => {
  it('has the stack for the log alone, redacted', () => {
    const { detail = '', ...reply } = brokenReply(new Error('hush1234 is undefined'), saying());
    expect(reply).to.deep.equal({
      kind: 'stopped',
      reason: 'crash',
      message: 'The engine failed on this run.',
      engineUs: 0,
      recordedFact: fact,
    });
    expect(detail).to.match(/^Error: \[REDACTED\] is undefined\n +at /);
  });

  it('has what was thrown where there is no stack', () => {
    expect(brokenReply('hush1234!', saying()).detail).to.equal('[REDACTED]!');
    const bare = new Error('odd hush1234');
    delete bare.stack;
    expect(brokenReply(bare, saying()).detail).to.equal('Error: odd [REDACTED]');
  });
});
