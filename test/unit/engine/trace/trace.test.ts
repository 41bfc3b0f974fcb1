import { expect } from 'chai';
import {
  JsonTexts,
  redactor,
  stringify,
  traceText,
  type Outcome,
  type Trace,
  type Value,
} from '../../../../workers/engine/index.js';
import {
  expressions,
  failureOf,
  graph,
  input,
  output,
  program,
  runSync,
  single,
  table,
} from '../../../support/engine.js';

const three = graph(
  [
    input,
    expressions('a', { x: "'aaaa'", y: '1' }, { passThrough: true }),
    { ...expressions('b', { z: "x + 'b'" }), name: 'B' },
    output,
  ],
  ['in>a', 'a>b', 'b>out'],
);

function traced(model: unknown, fact: never, traceBytes?: number): Trace {
  const target = program(model);
  const limits = traceBytes === undefined ? target.parts.limits : { ...target.parts.limits, traceBytes };
  return runSync(target, fact, { trace: true, limits }).trace ?? {};
}

describe('traces', () => {
  it('end with the node that failed, which says why and where', () => {
    const model = single({ ...expressions('e', { ok: '1', bad: "a.b - 'x'", never: '2' }), name: 'Fees' });
    const { error, message, trace } = failureOf(model, { a: { b: 1 } });
    expect(Object.keys(trace ?? {})).to.deep.equal(['in', 'e']);
    const entry = trace?.['e'];
    expect(entry).to.deep.include({ output: null, traceData: { ok: { result: 1 } } });
    expect(entry?.error).to.have.all.keys('code', 'message', 'field', 'span');
    expect(entry?.error).to.include({ code: 'type_error', field: 'content.expressions[1].value' });
    expect(error).to.include({ nodeId: 'e', nodeName: 'Fees', source: "a.b - 'x'" });
    expect(message).to.equal(`Node "Fees", expression bad: ${entry?.error?.message ?? ''}`);
  });

  it('are written as they are, with what failed and what was left out', () => {
    const written = ({ trace = {}, plain }: Outcome): string => traceText(trace, new JsonTexts(plain));
    const failing = single({ ...expressions('é"', { third: '1 / 3', bad: "third - 'x'" }), name: 'Fees "1"' });
    const failed = failureOf(failing, { text: '\u2028"' });
    expect(written(failed)).to.equal(stringify(failed.trace ?? {}));
    expect(written(failed)).to.include('"third":{"result":0.3333333333333333333333333333}').and.include('"error":{');
    const limits = { ...program(three).parts.limits, traceBytes: 1000 };
    const cut = runSync(program(three), { text: 'é"'.repeat(2000) }, { trace: true, limits });
    expect(written(cut)).to.equal(stringify(cut.trace ?? {}));
    expect(written(cut)).to.include(',"truncated":true}');
    expect(traceText({}, new JsonTexts())).to.equal('{}');
  });

  it('say which rows of a table had no results though their conditions held, and why', () => {
    const rows = [
      { i0: '> 9', o0: 'bonus * 2' },
      { i0: '> 1', o0: 'bonus * 2' },
      { i0: '', o0: '7' },
    ];
    const content = (more: object): never =>
      single(table('t', { inputs: ['a'], outputs: ['limit'] }, rows, more)) as never;
    const why = {
      code: 'type_error',
      message: 'its limit (bonus * 2) could not be computed: `*` does not take a missing value',
    };
    const passed = (model: unknown, fact: Value) =>
      runSync(program(model), fact, { trace: true }).trace?.['t']?.passedOver?.map((told) => ({
        ...told,
        message: told.message.replace(' (null) and a number', ''),
        span: undefined,
      }));
    const row = (index: number) => ({ index, ...why, field: `content.rules[${index}].outputs[0]`, span: undefined });
    expect(passed(content({}), { a: 5 })).to.deep.equal([row(1)]);
    expect(passed(content({ hitPolicy: 'collect' }), { a: 10 })).to.deep.equal([row(0), row(1)]);
    expect(passed(content({ executionMode: 'loop', inputField: 'all' }), { all: [{ a: 5 }, { a: 0 }] })).to.deep.equal([
      row(1),
    ]);
    expect(passed(content({}), { a: 5, bonus: 1 })).to.equal(undefined);
    // However many there are, few are told; a secret that one names is not.
    const many = single(
      table(
        't',
        { inputs: [], outputs: ['x'] },
        Array.from({ length: 50 }, () => ({ o0: '$env.key[0] - 1' })),
        {
          hitPolicy: 'collect',
        },
      ),
    );
    expect(passed(many, {})).to.have.length(10);
    const secrets = redactor({ key: '(topsecret' }).forRun();
    const outcome = runSync(
      program(single(table('t', { inputs: [], outputs: ['x'] }, [{ o0: 'matches("a", $env.key)' }]))),
      {},
      {
        ...{ trace: true, secrets, env: { key: '(topsecret' } },
      },
    );
    expect(stringify(outcome.trace ?? {}))
      .to.include('passedOver')
      .and.not.include('(topsecret');
    const told = runSync(program(many), {}, { trace: true });
    expect(traceText(told.trace ?? {}, new JsonTexts(told.plain))).to.equal(stringify(told.trace ?? {}));
  });

  it('say whether they are plain JSON, as no walk in search of long decimals is made then', () => {
    const plainOf = (source: string, trace = true): boolean =>
      runSync(program(single(expressions('e', { x: source }))), { a: 1.5 }, { trace }).plain;
    expect(plainOf('[a + 1, { b: "c" }]')).to.equal(true);
    for (const source of ['[{ b: a / 3.3 }]', "d('2024-01-01', 'UTC')", '[1..3]', '1.50']) {
      expect(plainOf(source), source).to.equal(false);
      expect(plainOf(source, false), source).to.equal(false);
    }
    // In the trace alone.
    const model = graph([input, expressions('a', { x: '1 / 3' }), expressions('b', { y: '1' })], ['in>a', 'a>b']);
    expect(runSync(program(model), {}).plain).to.equal(true);
    expect(runSync(program(model), {}, { trace: true }).plain).to.equal(false);
  });

  it('may have nodes of any id', () => {
    const odd = { ...expressions('__proto__', { x: '1' }), name: 'odd' };
    const trace = traced(graph([input, odd], ['in>__proto__']), {} as never);
    expect(stringify(trace)).to.contain('"__proto__":{"id":"__proto__","name":"odd"');
  });

  it('are cut to their limit, keeping every node, and say so', () => {
    const fact = { text: 'é"'.repeat(2000), n: 1 };
    const whole = traced(three, fact as never);
    const bytes = Buffer.byteLength(stringify(whole));
    expect(stringify(traced(three, fact as never, bytes + 8))).to.not.contain('truncated');
    for (const limit of [bytes - 100, Math.round(bytes / 2), 3000, 1000]) {
      const trace = traced(three, fact as never, limit);
      expect(Buffer.byteLength(stringify(trace)), String(limit)).to.be.at.most(limit);
      expect(Object.keys(trace), String(limit)).to.deep.equal(['in', 'a', 'b', 'out']);
      expect(Object.values(trace).some((entry) => entry.truncated === true)).to.equal(true);
      expect(
        Object.values(trace)
          .filter((entry) => entry.truncated !== true)
          .every((entry) => entry.id === 'out' || entry.output !== null),
      ).to.equal(true);
    }
    expect(stringify(traced(three, fact as never, 300)).length).to.be.at.most(300);
  });

  it('keep the error of the node that failed when they are cut', () => {
    const model = single(table('t', { inputs: ['a'], outputs: ['x'] }, [{ o0: 'map([0..9999], # + 1)' }]));
    const limits = { ...program(model).parts.limits, steps: 500, traceBytes: 1000 };
    const { trace } = failureOf(model, { a: 'x'.repeat(5000) }, { limits });
    expect(trace?.['t']).to.have.nested.property('error.code', 'limit_steps');
    expect(trace?.['in']).to.include({ output: null, truncated: true });
  });

  it('keep the node that failed, however long the text that its error quotes', () => {
    const long = '"'.repeat(520_000);
    for (const source of [
      "d('2024-01-01').add(t)",
      "d('2024-01-01').startOf(t)",
      "d('2024-01-01').tz(t)",
      "startOf('2024-01-01', t)",
      `5 '${long}'`,
      `nothing${'g'.repeat(520_000)}(1)`,
      '1'.repeat(520_000),
    ]) {
      const { trace, message } = failureOf(single(expressions('e', { x: source })), { t: long });
      expect(trace?.['e'], source.slice(0, 30)).to.have.property('error');
      expect(message.length, source.slice(0, 30)).to.be.below(400);
    }
    const guarded = { ...input, content: { schema: { additionalProperties: { type: 'string' } } } };
    const { trace, message } = failureOf(graph([guarded], []), { [long]: 1 });
    expect(trace?.['in']).to.have.property('error');
    expect(message)
      .to.match(/must be string$/)
      .and.have.length.below(400);
  });

  it('of long loops do not outgrow their limit on the way', () => {
    const model = single(
      expressions('e', { x: '$root' }, { inputField: 'list', executionMode: 'loop', outputPath: 'o' }),
    );
    const list = Array.from({ length: 20_000 }, (_, index) => ({ index }));
    const trace = traced(model, { list } as never, 100_000);
    expect(stringify(trace).length).to.be.at.most(100_000);
    expect(trace['e']?.truncated).to.equal(true);
    expect(Object.values(trace).map(({ id }) => id)).to.deep.equal(['in', 'e', 'out']);
  });
});

describe('the trace of a loop', () => {
  it('keeps whole rounds from the first, as many as there is room for, and says so', () => {
    const model = single(
      expressions('e', { x: 'n * 2' }, { inputField: 'list', executionMode: 'loop', outputPath: 'o' }),
    );
    const list = Array.from({ length: 400 }, (_, n) => ({ n }));
    const entry = traced(model, { list } as never, 40_000)['e'];
    expect(entry?.traceData).to.have.length(400);
    expect(entry).to.not.have.property('truncated');
    const short = traced(expressionsOver(list), {} as never, 4000)['e'];
    expect(short?.truncated).to.equal(true);
  });

  function expressionsOver(list: readonly { n: number }[]): unknown {
    return single(
      expressions('e', { x: 'n * 2' }, { inputField: JSON.stringify(list), executionMode: 'loop', outputPath: 'o' }),
    );
  }
});
