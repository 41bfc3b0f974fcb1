import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Pool } from '../../src/pool/pool.js';
import type { RunDone, RunStopped } from '../../workers/protocol.js';
import { bootPool, closePools } from '../support/pools.js';
import { chain, expressions, script, taskOf, type TaskParts, type TestNode } from '../support/tasks.js';

const worker = new URL('../../workers/run.js', import.meta.url);
const runTimeoutMs = 1000;
/** From the time limit until a thread that does not stop itself is gone, with room for a busy machine. */
const graceMs = 4000;

const handler = (body: string): TestNode => script(`export const handler = async (input) => { ${body} }`);
const schemaNode = (schema: object): TestNode => ({
  type: 'outputNode',
  name: 'checked',
  content: { schema: JSON.stringify(schema) },
});
const long = `${'a'.repeat(30_000)}!`;

/** What a run may end as: a stop's reason, or a failure's code; `ok` for a harmless result. */
type End = string;

interface Attack extends TaskParts {
  readonly nodes: readonly TestNode[];
  readonly result?: object;
  readonly ends: readonly End[];
}

const attacks: Readonly<Record<string, Attack>> = {
  'an endless loop': { nodes: [handler('while (true) {}')], ends: ['timeout'] },
  'endless microtasks': { nodes: [handler('for (;;) await null')], ends: ['timeout'] },
  'a promise that never resolves': {
    nodes: [handler('await new Promise(() => {})')],
    ends: ['timeout'],
  },
  'an endless loop at the top of a module': { nodes: [script('for (;;);')], ends: ['timeout'] },
  'a string that doubles': { nodes: [handler("let s = 'x'; for (;;) s += s")], ends: ['function_failed'] },
  'a bomb of strings': {
    nodes: [handler("const a = []; for (;;) a.push('x'.repeat(1e5) + a.length)")],
    ends: ['memory'],
  },
  'a bomb of arrays': {
    nodes: [handler('const a = []; for (;;) a.push([1, 2, 3])')],
    ends: ['memory'],
  },
  'a bomb of maps': {
    nodes: [handler('const m = new Map(); for (let i = 0; ; i++) m.set(i, {})')],
    ends: ['memory'],
  },
  'a bomb of buffers': {
    nodes: [handler('const a = []; for (;;) a.push(new Uint8Array(1e6))')],
    ends: ['memory'],
  },
  'one enormous buffer': {
    nodes: [handler('return new ArrayBuffer(2 ** 40).byteLength')],
    ends: ['function_failed'],
  },
  'a bomb of flatMap': {
    nodes: [expressions({ x: 'len(flatMap([1..5000], map([1..5000], #)))' })],
    ends: ['limit_array'],
  },
  'a bomb of doubled texts': {
    nodes: [expressions({ x: "sum(map([1..900000], len(map([1..900000], 'x' + string(#)))))" })],
    ends: ['timeout'],
  },
  'nested loops over ranges': {
    nodes: [expressions({ x: 'sum(map([1..900000], sum(map([1..900000], #))))' })],
    ends: ['timeout'],
  },
  'sort of 2^32 items': {
    nodes: [handler('[].sort.call({ length: 2 ** 32 - 1 })')],
    ends: ['timeout'],
  },
  'indexOf over 2^31 items': { nodes: [handler('[].indexOf.call({ length: 2 ** 31 }, 1)')], ends: ['timeout'] },
  'reverse of 2^40 items': { nodes: [handler('[].reverse.call({ length: 2 ** 40 })')], ends: ['timeout'] },
  'deep recursion of code': {
    nodes: [handler('const f = () => f() + 1; return f()')],
    ends: ['function_failed'],
  },
  'deep recursion of an expression': {
    nodes: [expressions({ x: `${'('.repeat(5000)}1${')'.repeat(5000)}` })],
    ends: ['limit_depth'],
  },
  'a deep list': {
    nodes: [handler('let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return { a }')],
    ends: ['limit_depth'],
  },
  'a deep list in the log, and in an expression': {
    nodes: [
      script(`import zen from 'zen';
        export const handler = async () => {
          let a = []; for (let i = 0; i < 2e4; i++) a = [a];
          console.log(a); zen.evaluateExpression('x', { x: a });
        }`),
    ],
    ends: ['function_failed'],
  },
  'the constructor of a function': {
    nodes: [
      handler(
        "return { found: typeof (await (async () => {}).constructor('return this.process')()), p: typeof process, r: typeof require }",
      ),
    ],
    ends: ['ok'],
  },
  'constructors of all kinds of functions': {
    nodes: [
      handler(`const found = {};
        for (const f of [console.log, console.sleep, async () => {}, function* () {}, async function* () {}, class {}, Date, config.constructor]) {
          try { found[typeof (await f.constructor('return this.process ?? this.require')())] = true } catch {}
        }
        return { globals: typeof globalThis.host + typeof globalThis.__boot, std: typeof std + typeof os, found: found.function === true }`),
    ],
    ends: ['ok'],
    result: { globals: 'undefinedundefined', std: 'undefinedundefined', found: false },
  },
  'the constructor of a value in an expression': {
    nodes: [
      expressions({
        a: "x.constructor ?? 'none'",
        b: "x.constructor.constructor ?? 'none'",
        c: "x['__proto__'] ?? 'none'",
        d: "[].constructor ?? 'none'",
        e: "s.constructor ?? 'none'",
        f: "constructor ?? 'none'",
        g: "x.toString ?? 'none'",
      }),
    ],
    fact: { x: { y: 1 }, s: 'text' },
    ends: ['ok'],
    result: { a: 'none', b: 'none', c: 'none', d: 'none', e: 'none', f: 'none', g: 'none' },
  },
  'a prototype in the fact': {
    nodes: [expressions({ x: 'merge([$root, { a: 1 }]).doubled ?? 0', y: "doubled ?? 'none'" })],
    body: '{"fact":{"__proto__":{"doubled":666},"constructor":{"prototype":{"doubled":666}}}}',
    ends: ['ok'],
    result: { x: 0, y: 'none' },
  },
  'prototypes bent for others': {
    nodes: [
      handler("Object.prototype.doubled = 666; Array.prototype.map = null; JSON.stringify = () => 'no'; return {}"),
    ],
    ends: ['ok'],
  },
  'a polluted key': {
    nodes: [expressions({ '__proto__.doubled': '666', 'constructor.prototype.doubled': '666' })],
    ends: ['ok'],
  },
  'a costly pattern in an expression': {
    nodes: [expressions({ x: "matches(text, '^(a+)+$')" })],
    fact: { text: long },
    ends: ['ok'],
  },
  'costly patterns in other functions': {
    nodes: [
      expressions({
        a: "extract(text, '^(a|a)*$')",
        b: "extract(text, '(.*a){20}!')",
        c: "matches(text, '^(([a-z])+.)+[A-Z]([a-z])+$')",
      }),
    ],
    fact: { text: long },
    ends: ['ok'],
  },
  'a pattern that is costly to build': {
    nodes: [expressions({ x: "matches(text, '((a{1,100}){1,100}){1,100}')" })],
    fact: { text: long },
    ends: ['type_error'],
  },
  'a costly comparison of texts': {
    nodes: [expressions({ x: 'fuzzyMatch(text, text + text)' })],
    fact: { text: long },
    ends: ['limit_string'],
  },
  'costly names and texts in a schema': {
    nodes: [
      schemaNode({
        patternProperties: { '^(a+)+$': { type: 'string' } },
        properties: { list: { items: { type: 'string', format: 'email', pattern: '(.*)*x' } } },
      }),
    ],
    fact: { [long]: 1, list: [long] },
    ends: ['schema_violation'],
  },
  'a schema without end': {
    nodes: [schemaNode({ $ref: '#' }), schemaNode({ definitions: { a: { anyOf: [{ $ref: '#/definitions/a' }] } } })],
    ends: ['model_invalid'],
  },
  'a costly pattern in a schema': {
    nodes: [schemaNode({ properties: { text: { type: 'string', pattern: '^(a+)+$' } } })],
    fact: { text: long },
    ends: ['schema_violation'],
  },
  'a costly comparison in a schema': {
    nodes: [schemaNode({ properties: { list: { uniqueItems: true } } })],
    fact: { list: Array.from({ length: 20_000 }, (_, index) => `item ${index}`) },
    ends: ['model_invalid'],
  },
  'a giant output of an expression': {
    nodes: [expressions({ x: "map([1..900000], 'a text of some length')" })],
    ends: ['limit_output'],
  },
  'a giant output of code': {
    nodes: [handler("return { x: 'x'.repeat(8e6) }")],
    ends: ['limit_output'],
  },
  'a giant trace': {
    nodes: [expressions({ x: 'map([1..20000], { n: #, list: [#, #, #] })' }), expressions({ y: 'len(x)' })],
    traced: true,
    ends: ['ok'],
  },
};

function endOf(reply: RunDone | RunStopped): End {
  if (reply.kind === 'stopped') return reply.reason;
  return reply.error === null ? 'ok' : (JSON.parse(reply.error) as { code: string }).code;
}

async function runIn(pool: Pool, nodes: readonly TestNode[], parts: TaskParts = {}): Promise<RunDone | RunStopped> {
  const { bundle = '', configuration = '{}', timeoutMs: _, ...request } = taskOf(chain(...nodes), parts);
  return pool.run('w', request, { provide: () => Promise.resolve({ bundle, configuration }) });
}

/** The pool still gives right answers, with a prototype's key that nobody has set. */
async function expectSound(pool: Pool): Promise<void> {
  const next = await runIn(pool, [expressions({ doubled: 'n * 2', other: "missing.doubled ?? 'none'" })], {
    fact: { n: 21 },
  });
  expect(next).to.include({ status: 'COMPLETED', result: '{"doubled":42,"other":"none"}' });
  const scripted = await runIn(pool, [handler('return { list: [1, 2].map((x) => x * 2), stray: ({}).doubled ?? 0 }')]);
  expect(scripted).to.include({ status: 'COMPLETED', result: '{"list":[2,4],"stray":0}' });
}

describe('hostile models on the real pool', function () {
  this.timeout(60_000);
  let pool: Pool;
  before(async () => {
    pool = await bootPool({ worker, runTimeoutMs, runMaxHeapMb: 64 });
  });
  after(closePools);

  for (const [name, { nodes, ends, result, ...parts }] of Object.entries(attacks)) {
    it(`${name} ends within its limits, and the next run is right`, async () => {
      const started = performance.now();
      const reply = await runIn(pool, nodes, parts);
      expect(performance.now() - started).to.be.below(runTimeoutMs + graceMs);
      expect(endOf(reply), JSON.stringify(reply).slice(0, 500)).to.be.oneOf(ends);
      if (result !== undefined) expect(JSON.parse((reply as RunDone).result)).to.deep.equal(result);
      await expectSound(pool);
    });
  }

  it('code finds no host behind a constructor', async () => {
    const { nodes } = attacks['the constructor of a function']!;
    const reply = await runIn(pool, nodes);
    if (endOf(reply) !== 'ok' || reply.kind !== 'done') return;
    expect(JSON.parse(reply.result)).to.deep.equal({ found: 'undefined', p: 'undefined', r: 'undefined' });
  });

  it('a giant trace is cut and says so', async () => {
    const { nodes } = attacks['a giant trace']!;
    const reply = await runIn(pool, nodes, { traced: true });
    if (reply.kind !== 'done') throw new Error('stopped');
    expect(Buffer.byteLength(reply.trace ?? '')).to.be.within(100, 1024 * 1024);
    expect(reply.trace).to.include('"truncated":true');
  });
});

describe('secrets that a hostile model sends out', () => {
  const secret = 'hunter2-Swordfish/õ"42';
  const configuration = { variables: { KEY: secret }, secrets: [secret] };
  const bytes = Buffer.from(secret);
  /** How each way of encoding it looks in a text. */
  const forms: Readonly<Record<string, { readonly code: string; readonly looks: string }>> = {
    'as it is': { code: 'k', looks: 'Swordfish' },
    'in URL encoding': { code: 'encodeURIComponent(k)', looks: 'Swordfish' },
    'in JSON inside JSON': { code: 'JSON.stringify(JSON.stringify(k))', looks: 'Swordfish' },
    'in base64': { code: 'base64(k)', looks: bytes.toString('base64').slice(0, 20) },
    'in hexadecimal': { code: 'hex(k)', looks: bytes.toString('hex').slice(0, 30) },
  };
  const prelude = `
    const utf8 = (s) => [...unescape(encodeURIComponent(s))].map((c) => c.charCodeAt(0));
    const hex = (s) => utf8(s).map((b) => b.toString(16).padStart(2, '0')).join('');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const base64 = (s) => {
      const b = utf8(s); let out = '';
      for (let i = 0; i < b.length; i += 3) {
        const n = (b[i] << 16) | ((b[i + 1] ?? 0) << 8) | (b[i + 2] ?? 0);
        out += alphabet[n >> 18] + alphabet[(n >> 12) & 63] + (i + 1 < b.length ? alphabet[(n >> 6) & 63] : '=') + (i + 2 < b.length ? alphabet[n & 63] : '=');
      }
      return out;
    };`;
  let pool: Pool;
  before(async () => {
    pool = await bootPool({ worker });
  });
  after(closePools);

  for (const [name, { code, looks }] of Object.entries(forms)) {
    it(`are found ${name}, in errors, logs, traces and what is recorded`, async () => {
      const give = (rest: string): TestNode =>
        script(
          `${prelude} export const handler = async (input) => { const k = input.$env.KEY; const out = ${code}; console.log(out, [out]); ${rest} }`,
        );
      const failed = await runIn(pool, [give('throw new Error(out)')], { configuration, traced: true });
      expect(endOf(failed)).to.equal('function_failed');
      expect(JSON.stringify(failed)).not.to.include(looks);
      const done = await runIn(pool, [give('return { out }')], { configuration, traced: true });
      if (done.kind !== 'done') throw new Error('stopped');
      expect(done.status).to.equal('COMPLETED');
      expect(JSON.stringify({ ...done, result: '' })).not.to.include(looks);
    });
  }
});

describe('calls of hostile models to private addresses', () => {
  let server: Server;
  let pool: Pool;
  let met = 0;
  before(async () => {
    server = createServer((_request, response) => {
      met++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    pool = await bootPool({ worker, runTimeoutMs: 5000 });
  });
  after(async () => {
    await closePools();
    server.close();
  });

  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
    '169.254.169.254',
  ]) {
    it(`are refused, though the environment allows it: ${host}`, async () => {
      const { port } = server.address() as AddressInfo;
      const call = script(`import http from 'http';
        export const handler = async () => (await http.get('http://${host}:${port}/')).data`);
      const names = [host, '127.0.0.1', 'localhost', '[::1]', '::1'];
      const reply = await runIn(pool, [call], { configuration: { httpHosts: names } });
      expect(endOf(reply), JSON.stringify(reply).slice(0, 300)).to.equal('function_failed');
      expect(met).to.equal(0);
    });
  }
});
