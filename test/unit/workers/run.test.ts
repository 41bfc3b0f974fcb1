import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { RunDone, RunStopped, RunTask } from '../../../workers/protocol.js';
import { run } from '../../../workers/run.js';
import { chain, decision, expressions, script, taskOf, type TestNode } from '../../support/tasks.js';

async function doneOf(task: RunTask): Promise<RunDone> {
  const reply = await run(task);
  if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  return reply;
}

type Entries = Record<string, { input: unknown; output: unknown; error?: { code: string; message: string } }>;
const traceOf = ({ trace }: RunDone): Entries => JSON.parse(trace ?? 'null') as Entries;
const resultOf = ({ result }: RunDone): unknown => JSON.parse(result);

const double = chain(expressions({ doubled: 'n * 2' }));

describe('run: replies', () => {
  it('completes without a trace, and with one when asked', async () => {
    const plain = await doneOf(taskOf(double, { fact: { n: 21 } }));
    expect(plain).to.include({ status: 'COMPLETED', result: '{"doubled":42}', trace: null, error: null });
    expect(plain).to.include({ recordedFact: '{"n":21}', recordedResult: null });
    expect(plain.engineUs).to.be.above(0);
    const traced = await doneOf(taskOf(double, { fact: { n: 21 }, traced: true }));
    expect(traced.result).to.equal(plain.result);
    expect(traceOf(traced).n1).to.deep.include({ input: { n: 21 }, output: { doubled: 42 } });
  });

  it('says what it lacks, and then holds it', async () => {
    const whole = taskOf(chain(expressions({ a: '$env.A' })), { configuration: { variables: { A: 7 } } });
    const { bundle = '', configuration = '', ...bare } = whole;
    expect(await run(bare)).to.deep.equal({ kind: 'miss', program: true, configuration: true });
    expect(await run({ ...bare, bundle })).to.deep.equal({ kind: 'miss', program: true, configuration: true });
    expect(await run({ ...bare, configuration })).to.deep.equal({ kind: 'miss', program: true, configuration: false });
    expect((await doneOf(whole)).result).to.equal('{"a":7}');
    expect((await doneOf(bare)).result).to.equal('{"a":7}');
  });

  it('explains a failure with the trace of a second run', async () => {
    const failed = await doneOf(taskOf(double, { fact: { n: 'no number' } }));
    expect(failed.status).to.equal('FAILED');
    expect(resultOf(failed))
      .to.have.property('error')
      .that.matches(/node 1/);
    expect(JSON.parse(failed.error ?? '')).to.include({ code: 'type_error', nodeId: 'n1' });
    expect(traceOf(failed).n1?.error?.code).to.equal('type_error');
    expect(failed.result).not.to.include('\\n');
  });

  it('shows all digits of decimals in the trace of the second run', async () => {
    const model = chain(expressions({ third: '1 / 3' }), expressions({ bad: "third - 'x'" }));
    expect((await doneOf(taskOf(model))).trace).to.include('"third":0.3333333333333333333333333333}');
  });

  it('sees the same random numbers in the second run', async () => {
    const model = chain(expressions({ bad: "rand(1000) > 500 ? 1 * 'text' : 1 * [1]" }));
    const messages = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const failed = await doneOf(taskOf(model, { seed: round }));
      const { message } = JSON.parse(failed.error ?? '') as { message: string };
      expect(traceOf(failed).n1?.error?.message).to.equal(message);
      messages.add(message);
    }
    expect(messages.size).to.equal(2);
  });

  it('goes the same way again by the same clock and seed, and another by others', async () => {
    const nodes = [
      expressions({ dice: 'rand(1000000)', at: "date('now')" }),
      script('export const handler = (input) => ({ ...input, more: Math.random(), now: Date.now() })'),
    ];
    const resultBy = async (clock: number, seed: number): Promise<string> =>
      (await doneOf(taskOf(chain(...nodes), { clock, seed }))).result;
    expect(await resultBy(1_700_000_000_000, 7)).to.equal(await resultBy(1_700_000_000_000, 7));
    expect(await resultBy(1_700_000_000_000, 8)).to.not.equal(await resultBy(1_700_000_000_000, 7));
    expect(await resultBy(1_700_000_001_000, 7)).to.not.equal(await resultBy(1_700_000_000_000, 7));
  });

  it('is traced apart: result and record are those of an execution', async () => {
    const secret = 'hush-hush-1234';
    const configuration = { variables: { KEY: secret }, secrets: ['KEY'] };
    const cells = { type: 'expressionNode', content: { expressions: [{ id: 'x', key: 'said', value: 'said' }] } };
    for (const model of [
      chain(cells),
      chain(cells, expressions({ key: '$env.KEY' })),
      chain(script('export const handler = (x) => x')),
    ]) {
      const parts = { fact: { said: secret }, configuration };
      const { engineUs: _, trace, ...plain } = await doneOf(taskOf(model, parts));
      const { engineUs: __, trace: shown, ...apart } = await doneOf(taskOf(model, { ...parts, traced: 'apart' }));
      expect(apart).to.deep.equal(plain);
      expect([trace, shown === null]).to.deep.equal([null, false]);
    }
  });

  it('keeps the fact as it was sent', async () => {
    const sent = '{"a": 1.10, "b" : [1e2] }';
    expect((await doneOf(taskOf(chain(), { body: `{"fact": ${sent}}` }))).recordedFact).to.equal(sent);
    expect((await doneOf(taskOf(chain(), { body: '{"version":1,"fact":{"a":1}}' }))).recordedFact).to.equal('{"a":1}');
  });
});

describe('run: sub-decisions', () => {
  for (const key of ['absent', 'constructor', '__proto__', 'toString']) {
    it(`fail when they are not there: ${key}`, async () => {
      const failed = await doneOf(taskOf(chain(decision(key))));
      expect(JSON.parse(failed.error ?? '')).to.include({ code: 'decision_missing' });
    });
  }
});

describe('run: secrets', () => {
  const secret = 'hush "1234"';
  const configuration = { variables: { KEY: secret }, secrets: ['KEY'] };
  const leaks = (reply: RunDone | RunStopped): boolean => JSON.stringify(reply).includes('1234');

  it('stay in the result of a completed run, and nowhere else', async () => {
    const model = chain(expressions({ key: '$env.KEY' }));
    const reply = await doneOf(taskOf(model, { fact: { said: secret }, configuration, traced: true }));
    expect(resultOf(reply)).to.deep.equal({ key: secret });
    expect(leaks({ ...reply, result: '' })).to.equal(false);
    expect(reply.recordedResult).to.equal('{"key":"[REDACTED]"}');
    expect(reply.recordedFact).to.equal('{"said":"[REDACTED]"}');
  });

  it('are in no part of a failure', async () => {
    const model = chain(expressions({ key: '$env.KEY' }), expressions({ bad: 'key * 2' }));
    expect(leaks(await doneOf(taskOf(model, { configuration })))).to.equal(false);
    const thrown = chain(
      script('export const handler = async (i) => { console.log(i.$env.KEY); throw new Error(i.$env.KEY); }'),
    );
    const failed = await doneOf(taskOf(thrown, { configuration }));
    expect(failed.status).to.equal('FAILED');
    expect(failed.result).to.include('[REDACTED]');
    expect(leaks(failed)).to.equal(false);
  });

  it('as numbers of many digits, are in no part of a failure', async () => {
    const configuration = { variables: { PIN: '12345678901234567890' }, secrets: ['PIN'] };
    const model = chain(expressions({ pin: 'number($env.PIN)' }), expressions({ bad: "pin - 'x'" }));
    const failed = await doneOf(taskOf(model, { configuration }));
    expect(failed.trace).to.include('"pin":"[REDACTED]"');
    expect(failed.trace).to.not.include('12345');
  });

  it('a text of the caller that begins like one stays, so that nobody learns of a right guess', async () => {
    const configuration = { variables: { KEY: 'hush-hush' }, secrets: ['KEY'] };
    const model = chain(expressions({ read: 'len($env.KEY)', bad: "d('2024-01-01').add(guess)" }));
    const failed = await doneOf(taskOf(model, { fact: { guess: 'hush…' }, configuration }));
    expect(failed.status).to.equal('FAILED');
    expect(failed.trace).to.include('hush…');
    expect([failed.result, failed.error, failed.recordedFact, failed.trace].join()).to.not.include('REDACTED');
  });

  describe('that are cut are redacted first, their beginning too', () => {
    const long = (length: number): string => {
      let text = '';
      for (let index = 0; text.length < length; index++) text += createHash('sha256').update(`${index}`).digest('hex');
      return text.slice(0, length);
    };
    const lines = ['first/line', 'second/line', 'third/line'].join('\n');
    const http = (value: string): TestNode =>
      script(`import http from 'http'; export const handler = async (i) => { await http.get(${value}); };`);
    const throwing = (value: string): TestNode =>
      script(`export const handler = async (i) => { const { KEY } = i.$env; throw ${value}; };`);
    const failingAfter = (length: number): string => `d('2024-01-01').add('${'x'.repeat(length)}' + $env.KEY)`;
    const failing = expressions({ bad: failingAfter(0) });
    const many = long(800).replaceAll(/.{16}/g, '$&\n');
    const json = JSON.stringify({ keys: long(800).match(/.{16}/g) });
    for (const [what, secret, node] of [
      ['in an address', long(800), http("'http://other.test/?key=' + i.$env.KEY")],
      ['in an error', long(800), throwing("new Error('rejected: ' + KEY)")],
      ['in what is thrown', long(800), throwing("'rejected: ' + KEY")],
      ['in an error’s name', long(800), throwing('Object.assign(new Error(), { name: KEY })')],
      ['of many characters', long(30_000), throwing("new Error('rejected: ' + KEY)")],
      ['three times in a row', long(800), throwing('new Error([KEY, KEY, KEY].join())')],
      ['many times over', long(30_000), throwing('new Error(KEY.repeat(200))')],
      ['in an expression’s error', long(800), failing],
      ['in an expression’s error, behind much else', long(800), expressions({ bad: failingAfter(560) })],
      ['of many lines, in an expression’s error', many, failing],
      ['of JSON, in an expression’s error', json, failing],
      ['of several lines, in an error', lines, throwing("new Error('rejected: ' + KEY)")],
      ['of several lines, in an expression’s error', lines, failing],
    ] as const) {
      it(what, async () => {
        const configuration = { variables: { KEY: secret }, secrets: ['KEY'] };
        const failed = await doneOf(taskOf(chain(node), { configuration }));
        expect(failed.status).to.equal('FAILED');
        const text = JSON.stringify(failed);
        for (let at = 0; at + 8 <= secret.length; at += 8) expect(text).to.not.include(secret.slice(at, at + 8));
      });
    }
  });
});
