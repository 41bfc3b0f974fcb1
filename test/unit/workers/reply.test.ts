import { expect } from 'chai';
import { EngineError, redactor, type Diagnostic, type Outcome, type Value } from '../../../workers/engine/index.js';
import { Decimal } from '../../../workers/engine/zen/values/decimal.js';
import { brokenReply, replyOf, type ReplyContext } from '../../../workers/reply.js';

/** A run that has read its secret. */
function saying(traced = false): ReplyContext {
  const secrets = redactor({ KEY: 'hush1234' }).forRun();
  secrets.noteRead('KEY');
  return { secrets, traced, factText: () => '{"said":"hush1234"}' };
}

const fact = '{"said":"[REDACTED]"}';

/** Deeper than any text of JSON may be. */
function nested(): Value {
  let value: Value = null;
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  return value;
}

const entry = { id: 'n1', name: 'hush1234', input: null, output: { said: 'hush1234' }, traceData: null };
const trace = { n1: { ...entry, performance: '0.5ms', order: 0 } };
const shownTrace =
  '{"n1":{"id":"n1","name":"[REDACTED]","input":null,"output":{"said":"[REDACTED]"},' +
  '"performance":"0.5ms","order":0,"traceData":null}}';

describe('the reply to a completed run', () => {
  const completed = {
    status: 'COMPLETED',
    result: { key: 'hush1234' },
    engineMs: 1.2345,
    plain: false,
    trace,
  } satisfies Outcome;

  it('has the result as it is, and everything else redacted', () => {
    expect(replyOf(completed, saying(true))).to.deep.equal({
      kind: 'done',
      status: 'COMPLETED',
      result: '{"key":"hush1234"}',
      trace: shownTrace,
      engineUs: 1235,
      error: null,
      recordedFact: fact,
      recordedResult: '{"key":"[REDACTED]"}',
      factRedacted: true,
    });
  });

  it('has no trace unless it was asked for, and records no second result where there is nothing to redact', () => {
    expect(replyOf({ ...completed, result: 1 }, saying())).to.include({
      result: '1',
      trace: null,
      recordedResult: null,
    });
  });

  it('has the fields that are counted, taken from the value: with all digits, and redacted', () => {
    const long = new Decimal(1234567890123456789012n, 2);
    const result = { said: 'hush1234', long, list: [1, { ok: true }], text: 'x'.repeat(300), of: null };
    const measured = ['/said', '/long', '/list', '/list/1/ok', '/list/2', '/text', '/of', '/long/s', ''];
    const reply = replyOf({ ...completed, result }, { ...saying(), measured });
    expect(reply).to.deep.include({
      measured: {
        pointers: measured,
        texts: ['"[REDACTED]"', '12345678901234567890.12', '[', 'true', null, '[', 'null', null, '['],
      },
    });
    expect(replyOf({ ...completed, result }, saying())).to.not.have.property('measured');
  });

  it('is a failure when the result is no JSON, with the trace that there is', () => {
    const { trace: _trace, ...untraced } = completed;
    for (const [outcome, shown] of [
      [{ ...untraced, result: nested() }, null],
      [{ ...completed, result: nested() }, shownTrace],
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
    error: new EngineError(code, 'No hush1234 here.', { nodeId: 'n1', source: 'hush1234' }).toDiagnostic(),
    message: 'node 1: No hush1234 here.',
    engineMs: 0.5,
    plain: true,
    trace,
  });

  it('has message, fault and trace redacted', () => {
    expect(replyOf(failed('type_error'), saying())).to.deep.equal({
      kind: 'done',
      status: 'FAILED',
      result: '{"error":"node 1: No [REDACTED] here."}',
      trace: shownTrace,
      engineUs: 500,
      error: '{"code":"type_error","message":"No [REDACTED] here.","nodeId":"n1","source":"[REDACTED]"}',
      recordedFact: fact,
      recordedResult: null,
      factRedacted: true,
    });
  });

  it('has a fault that fits its record, whatever it is: MySQL takes 65,535 bytes', () => {
    const diagnosticOf = (diagnostic: Diagnostic): Diagnostic => {
      const reply = replyOf(
        { status: 'FAILED', error: diagnostic, message: diagnostic.message, engineMs: 0.5, plain: true },
        saying(),
      );
      if (reply.kind !== 'done' || reply.error === null) expect.fail(reply.kind);
      expect(Buffer.byteLength(reply.error)).to.be.at.most(65_535);
      return JSON.parse(reply.error) as Diagnostic;
    };
    const location = { nodeId: 'n1', field: 'source', span: [3, 5] as const };
    const source = 'ä'.repeat(40_000);
    const small: Diagnostic = { code: 'function_failed', message: 'no', ...location };
    expect(diagnosticOf({ ...small, source: 'short' })).to.deep.equal({ ...small, source: 'short' });
    expect(diagnosticOf({ ...small, source })).to.deep.equal(small);
    // Six bytes a character.
    const large = '\ud800'.repeat(100_000);
    const filled = diagnosticOf({
      ...small,
      message: large,
      nodeId: large,
      nodeName: large,
      field: large,
      hint: large,
      label: large,
    });
    expect(filled)
      .to.include({ code: 'function_failed', message: '\ud800'.repeat(1000) })
      .and.to.deep.include({ span: [3, 5] });
    expect(diagnosticOf({ ...small, source, message: `${'x'.repeat(996)}hush1234` }).message).to.match(/x\[RED$/);
  });

  it('says in at most 1,000 characters that it was stopped', () => {
    const message = `Node "${'ä'.repeat(70_000)}": hush1234`;
    const error: Diagnostic = { code: 'timeout', message };
    const stopped = replyOf({ status: 'FAILED', error, message, engineMs: 0.5, plain: true }, saying());
    expect(stopped).to.include({ kind: 'stopped', message: message.slice(0, 1000) });
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
        factRedacted: true,
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
      factRedacted: true,
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
