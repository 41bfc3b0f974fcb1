import { expressions, script, type TaskParts, type TestNode } from '../support/tasks.js';

/** A function node whose handler has this body. */
export const handler = (body: string): TestNode => script(`export const handler = async (input) => { ${body} }`);
const schemaNode = (schema: object): TestNode => ({
  type: 'outputNode',
  name: 'checked',
  content: { schema: JSON.stringify(schema) },
});
const long = `${'a'.repeat(30_000)}!`;

/** What a run may end as: a stop's reason, or a failure's code; `ok` for a harmless result. */
export type End = string;

export interface Attack extends TaskParts {
  readonly nodes: readonly TestNode[];
  readonly result?: object;
  readonly end: End;
}

/** Models of people who mean harm, and what each ends as; the limits on time and memory are those of the test's pool. */
export const attacks: Readonly<Record<string, Attack>> = {
  'an endless loop': { nodes: [handler('while (true) {}')], end: 'timeout' },
  'endless microtasks': { nodes: [handler('for (;;) await null')], end: 'timeout' },
  'a promise that never resolves': {
    nodes: [handler('await new Promise(() => {})')],
    end: 'timeout',
  },
  'an endless loop at the top of a module': { nodes: [script('for (;;);')], end: 'timeout' },
  'a string that doubles': { nodes: [handler("let s = 'x'; for (;;) s += s")], end: 'function_failed' },
  'a bomb of strings': {
    nodes: [handler("const a = []; for (;;) a.push('x'.repeat(1e5) + a.length)")],
    end: 'memory',
  },
  'a bomb of arrays': {
    nodes: [handler('const a = []; for (;;) a.push([1, 2, 3])')],
    end: 'memory',
  },
  'a bomb of maps': {
    nodes: [handler('const m = new Map(); for (let i = 0; ; i++) m.set(i, {})')],
    end: 'memory',
  },
  'a bomb of buffers': {
    nodes: [handler('const a = []; for (;;) a.push(new Uint8Array(1e6))')],
    end: 'memory',
  },
  'one enormous buffer': {
    nodes: [handler('return new ArrayBuffer(2 ** 40).byteLength')],
    end: 'function_failed',
  },
  'a bomb of flatMap': {
    nodes: [expressions({ x: 'len(flatMap([1..5000], map([1..5000], #)))' })],
    end: 'limit_array',
  },
  'a bomb of doubled texts': {
    nodes: [expressions({ x: "sum(map([1..900000], len(map([1..900000], 'x' + string(#)))))" })],
    end: 'timeout',
  },
  'nested loops over ranges': {
    nodes: [expressions({ x: 'sum(map([1..900000], sum(map([1..900000], #))))' })],
    end: 'timeout',
  },
  'sort of 2^32 items': {
    nodes: [handler('[].sort.call({ length: 2 ** 32 - 1 })')],
    end: 'timeout',
  },
  'indexOf over 2^31 items': { nodes: [handler('[].indexOf.call({ length: 2 ** 31 }, 1)')], end: 'timeout' },
  'reverse of 2^40 items': { nodes: [handler('[].reverse.call({ length: 2 ** 40 })')], end: 'timeout' },
  'deep recursion of code': {
    nodes: [handler('const f = () => f() + 1; return f()')],
    end: 'function_failed',
  },
  'deep recursion of an expression': {
    nodes: [expressions({ x: `${'('.repeat(5000)}1${')'.repeat(5000)}` })],
    end: 'limit_depth',
  },
  'a deep list': {
    nodes: [handler('let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return { a }')],
    end: 'limit_depth',
  },
  'a deep list in the log, and in an expression': {
    nodes: [
      script(`import zen from 'zen';
        export const handler = async () => {
          let a = []; for (let i = 0; i < 2e4; i++) a = [a];
          console.log(a); zen.evaluateExpression('x', { x: a });
        }`),
    ],
    end: 'function_failed',
  },
  'the constructor of a function': {
    nodes: [
      handler(
        "return { found: typeof (await (async () => {}).constructor('return this.process')()), p: typeof process, r: typeof require }",
      ),
    ],
    end: 'ok',
    result: { found: 'undefined', p: 'undefined', r: 'undefined' },
  },
  'constructors of all kinds of functions': {
    nodes: [
      handler(`const found = {};
        for (const f of [console.log, console.sleep, async () => {}, function* () {}, async function* () {}, class {}, Date, config.constructor]) {
          try { found[typeof (await f.constructor('return this.process ?? this.require')())] = true } catch {}
        }
        return { globals: typeof globalThis.host + typeof globalThis.__boot, std: typeof std + typeof os, found: found.function === true }`),
    ],
    end: 'ok',
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
    end: 'ok',
    result: { a: 'none', b: 'none', c: 'none', d: 'none', e: 'none', f: 'none', g: 'none' },
  },
  'a prototype in the fact': {
    nodes: [expressions({ x: 'merge([$root, { a: 1 }]).doubled ?? 0', y: "doubled ?? 'none'" })],
    body: '{"fact":{"__proto__":{"doubled":666},"constructor":{"prototype":{"doubled":666}}}}',
    end: 'ok',
    result: { x: 0, y: 'none' },
  },
  'prototypes bent for others': {
    nodes: [
      handler("Object.prototype.doubled = 666; Array.prototype.map = null; JSON.stringify = () => 'no'; return {}"),
    ],
    end: 'ok',
  },
  'a polluted key': {
    nodes: [expressions({ '__proto__.doubled': '666', 'constructor.prototype.doubled': '666' })],
    end: 'ok',
  },
  'a costly pattern in an expression': {
    nodes: [expressions({ x: "matches(text, '^(a+)+$')" })],
    fact: { text: long },
    end: 'ok',
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
    end: 'ok',
  },
  'a pattern that is costly to build': {
    nodes: [expressions({ x: "matches(text, '((a{1,100}){1,100}){1,100}')" })],
    fact: { text: long },
    end: 'type_error',
  },
  'a costly comparison of texts': {
    nodes: [expressions({ x: 'fuzzyMatch(text, text + text)' })],
    fact: { text: long },
    end: 'limit_string',
  },
  'costly names and texts in a schema': {
    nodes: [
      schemaNode({
        patternProperties: { '^(a+)+$': { type: 'string' } },
        properties: { list: { items: { type: 'string', format: 'email', pattern: '(.*)*x' } } },
      }),
    ],
    fact: { [long]: 1, list: [long] },
    end: 'schema_violation',
  },
  'a schema without end': {
    nodes: [schemaNode({ $ref: '#' }), schemaNode({ definitions: { a: { anyOf: [{ $ref: '#/definitions/a' }] } } })],
    end: 'model_invalid',
  },
  'a costly pattern in a schema': {
    nodes: [schemaNode({ properties: { text: { type: 'string', pattern: '^(a+)+$' } } })],
    fact: { text: long },
    end: 'schema_violation',
  },
  'a costly comparison in a schema': {
    nodes: [schemaNode({ properties: { list: { uniqueItems: true } } })],
    fact: { list: Array.from({ length: 20_000 }, (_, index) => `item ${index}`) },
    end: 'model_invalid',
  },
  'a giant output of an expression': {
    nodes: [expressions({ x: "map([1..900000], 'a text of some length')" })],
    end: 'limit_output',
  },
  'a giant output of code': {
    nodes: [handler("return { x: 'x'.repeat(8e6) }")],
    end: 'limit_output',
  },
  'a giant trace': {
    nodes: [expressions({ x: 'map([1..20000], { n: #, list: [#, #, #] })' }), expressions({ y: 'len(x)' })],
    traced: true,
    end: 'ok',
  },
};
