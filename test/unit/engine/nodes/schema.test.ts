import { expect } from 'chai';
import { validate, type Diagnostic, type Value } from '../../../../workers/engine/index.js';
import { Footprint } from '../../../../workers/engine/footprint.js';
import { defaultLimits } from '../../../../workers/engine/limits.js';
import { compileSchema } from '../../../../workers/engine/schema/compile.js';
import { expressions, failureOf, graph, input, output, resultOf } from '../../../support/engine.js';
import { ownTime } from '../../../support/ownTime.js';
import { buildScope } from '../../../support/zen.js';
import { allowedMs } from '../../../support/environment.js';

const guarded = (schema: unknown) => graph([{ id: 'in', type: 'inputNode', name: 'Request', content: { schema } }], []);
const diagnostics = (schema: unknown): Diagnostic[] => validate(guarded(schema), { knows: () => true });

/** The check of a schema, on a run of its own. */
const checkOf = (schema: unknown) => {
  const check = compileSchema(schema, new Footprint());
  return (value: unknown) => check(value as Value, buildScope().run);
};

/** Definitions that each name the next one twice. */
function chain(length: number): Record<string, object> {
  const links: Record<string, object> = { [`d${length}`]: { type: 'string' } };
  for (let index = 0; index < length; index++) {
    const next = { $ref: `#/definitions/d${index + 1}` };
    links[`d${index}`] = { anyOf: [next, next] };
  }
  return links;
}

describe('JSON Schemas of input and output nodes', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.com/animal.json',
    type: 'object',
    required: ['animal'],
    properties: { animal: { $ref: '#/definitions/animal' }, price: { multipleOf: 0.1 } },
    definitions: {
      animal: { type: 'object', properties: { age: { type: 'integer' }, chip: { pattern: '^\\d{3}$' } } },
    },
  };

  it('let through what fits, as text or object', () => {
    expect(resultOf(guarded(schema), { animal: { age: 3, chip: '123' }, price: 0.3 })).to.deep.equal({
      animal: { age: 3, chip: '123' },
      price: 0.3,
    });
    expect(resultOf(guarded(JSON.stringify(schema)), { animal: {} })).to.deep.equal({ animal: {} });
    for (const none of ['', '  ', null, undefined]) expect(resultOf(guarded(none), { a: 1 })).to.deep.equal({ a: 1 });
  });

  it('fail the node and name the path', () => {
    const { error, message, trace } = failureOf(guarded(schema), { animal: { age: 'old' } });
    expect(error).to.include({ code: 'schema_violation', nodeId: 'in', field: 'content.schema' });
    expect(message).to.equal('Node "Request", schema: /animal/age: must be integer');
    expect(trace?.['in']?.error?.message).to.equal('/animal/age: must be integer');
    expect(failureOf(guarded(schema), {}).message).to.contain("the value: must have required property 'animal'");
    expect(failureOf(guarded(schema), { animal: { chip: '1234' } }).message).to.contain('must match pattern');
  });

  it('end the run where shared parts make an endless text of a value', () => {
    const keys = Object.fromEntries(
      Array.from({ length: 41 }, (_, level) => [
        `k${level}`,
        level === 0 ? '[1]' : `[$.k${level - 1}, $.k${level - 1}]`,
      ]),
    );
    const model = graph([input, expressions('e', keys), { ...output, content: { schema: {} } }], ['in>e', 'e>out']);
    expect(failureOf(model, {}).error).to.include({ code: 'limit_output', nodeId: 'out' });
  });

  it('check facts that are larger than results may be', () => {
    const entry = { ...input, content: { schema: { required: ['a'] } } };
    const model = graph([entry, expressions('e', { x: 'len(a)' }), output], ['in>e', 'e>out']);
    const limits = { ...defaultLimits, outputBytes: 50 };
    expect(resultOf(model, { a: 'x'.repeat(5_000_000) }, { limits })).to.deep.equal({ x: 5_000_000 });
  });

  it('do not see inherited properties', () => {
    expect(failureOf(guarded({ required: ['toString'] }), {}).error.code).to.equal('schema_violation');
  });

  it('check the usual formats and take others for remarks', () => {
    const of = (format: string) => checkOf({ format });
    for (const [format, good, bad] of [
      ['date', '2024-02-29', '2023-02-29'],
      ['time', '23:59:60Z', '24:00:00Z'],
      ['date-time', '2024-02-29T10:00:00.5+02:00', '2024-02-29'],
      ['email', 'a.b@example.com', 'nope'],
      ['ipv4', '127.0.0.1', '1.2.3'],
      ['ipv6', '::1', '1.2.3.4'],
      ['hostname', 'a-b.example', '-a'],
      ['uri', 'https://example.com/?q', 'no uri'],
    ] as const) {
      expect(() => of(format)(good), `${format} ${good}`).to.not.throw();
      expect(() => of(format)(bad), `${format} ${bad}`).to.throw();
    }
    expect(() => of('colour')('anything')).to.not.throw();
  });

  it('are refused where they could do harm', () => {
    let deep: unknown = {};
    for (let level = 0; level < 60; level++) deep = { not: deep };
    const unique = { properties: { a: { uniqueItems: true } } };
    const hostile: Record<string, unknown> = {
      'no schema': '[1]',
      'wrong keyword value': { type: 'objekt' },
      'reference to elsewhere': { $ref: 'https://example.com/schema.json' },
      'reference to a file': { properties: { a: { $ref: 'file:///etc/passwd' } } },
      'reference to nothing': { $ref: '#/definitions/x' },
      'reference to itself': { $ref: '#' },
      'round of references': {
        definitions: { a: { anyOf: [{ $ref: '#/definitions/b' }] }, b: { not: { $ref: '#/definitions/a' } } },
        $ref: '#/definitions/a',
      },
      'references that multiply': { definitions: chain(40), $ref: '#/definitions/d0' },
      'unbounded uniqueItems': { uniqueItems: true },
      'uniqueItems inside': { properties: { list: { items: { uniqueItems: true, maxItems: 1e6 } } } },
      'uniqueItems in what no keyword takes for a schema': { allOf: [{ $ref: '#/x' }], x: { uniqueItems: true } },
      'uniqueItems in a default': { allOf: [{ $ref: '#/default/x' }], default: { x: { uniqueItems: true } } },
      'uniqueItems in a constant': { anyOf: [{ $ref: '#/properties/a/const' }], properties: { a: { const: unique } } },
      'uniqueItems in an example': { anyOf: [{ $ref: '#/examples/0' }], examples: [unique] },
      'uniqueItems behind a percent sign': {
        definitions: { 'a/b': {}, a: { b: { uniqueItems: true } } },
        allOf: [{ $ref: '#/definitions/a%2Fb' }],
      },
      'uniqueItems in a group of definitions': {
        definitions: { common: { list: { uniqueItems: true } } },
        allOf: [{ $ref: '#/definitions/common/list' }],
      },
      'reference that is no address': { allOf: [{ $ref: '#/definitions/%zz' }], definitions: { '%zz': {} } },
      'reference to itself through a stroke': { '': { $ref: '#/' }, allOf: [{ $ref: '#/' }] },
      'reference to a list of schemas': { anyOf: [{ $ref: '#/allOf' }], allOf: [{ type: 'object' }] },
      'reference to a map of schemas': { anyOf: [{ $ref: '#/definitions' }], definitions: { type: 'object' } },
      'reference to a list of names': { anyOf: [{ $ref: '#/dependencies/a' }], dependencies: { a: ['b'] } },
      'too deep': deep,
      'too large': { enum: Array.from({ length: 20_000 }, (_, index) => index) },
      'pattern beyond RE2': { pattern: '(?=a)b' },
      'pattern that is too long': { pattern: 'a'.repeat(3000) },
      'pattern that repeats too much': { patternProperties: { ['a{1000}'.repeat(10)]: { type: 'null' } } },
    };
    for (const [name, schema_] of Object.entries(hostile)) {
      expect(
        diagnostics(schema_).map(({ code }) => code),
        name,
      ).to.deep.equal(['model_invalid']);
      expect(diagnostics(schema_)[0], name).to.include({ nodeId: 'in', field: 'content.schema' });
      expect(failureOf(guarded(schema_), {}).error.code, name).to.equal('model_invalid');
    }
  });

  it('may describe trees, and name properties like keywords', () => {
    const tree = {
      definitions: {
        node: { type: 'object', properties: { $ref: { type: 'string' }, left: { $ref: '#/definitions/node' } } },
      },
      $ref: '#/definitions/node',
    };
    const check = checkOf(tree);
    expect(() => check({ left: { left: { $ref: 'x' } } })).to.not.throw();
    expect(() => check({ left: { left: { left: 1 } } })).to.throw('/left/left/left: must be object');
  });

  it('may refer to themselves as a whole, from wherever', () => {
    const whole = { x: { all: { $ref: '#' } }, properties: { a: { $ref: '#' }, b: { $ref: '#/x/all' } } };
    const check = checkOf({ type: 'object', ...whole });
    expect(() => check({ a: { b: { a: {} } } })).to.not.throw();
    expect(() => check({ a: { b: { a: 1 } } })).to.throw('/a/b/a: must be object');
  });

  it('may refer to schemas wherever they stand', () => {
    const check = checkOf({
      properties: {
        a: { items: [{ type: 'integer' }, { $ref: '#/properties/a/items/0' }] },
        'b/c': { oneOf: [{ type: 'null' }] },
        d: { $ref: '#/properties/b~1c/oneOf/0' },
        e: { $ref: '#/dependencies/a/not' },
      },
      dependencies: { a: { not: { type: 'string' } } },
    });
    expect(() => check({ a: [1, 2], d: null, e: 'text' })).to.not.throw();
    expect(() => check({ a: [1, '2'] })).to.throw('/a/1: must be integer');
    expect(() => check({ d: 1 })).to.throw('/d: must be null');
    expect(() => check({ e: 1 })).to.throw('/e: must be string');
  });

  it('may refer to schemas in groups, and under keywords that draft 7 does not know', () => {
    const check = checkOf({
      definitions: { common: { name: { type: 'string' }, id: { $ref: '#/components/schemas/Id' } } },
      components: { schemas: { Id: { $id: '#id', type: 'integer' } } },
      properties: { n: { $ref: '#/definitions/common/name' }, i: { $ref: '#/definitions/common/id' } },
    });
    expect(() => check({ n: 'a', i: 1 })).to.not.throw();
    expect(() => check({ n: 1 })).to.throw('/n: must be string');
    expect(() => check({ i: 'a' })).to.throw('/i: must be integer');
  });

  it('may have references to nothing in definitions that nothing refers to', () => {
    const check = checkOf({ definitions: { unused: { $ref: '#/definitions/gone' } }, type: 'object' });
    expect(() => check(1)).to.throw('must be object');
  });

  it('read a $ref as an address is read: percent signs first, then strokes', () => {
    const check = checkOf({
      definitions: { a: { b: { type: 'string' } }, 'a#': { type: 'integer' }, '%7E1': { type: 'null' }, '\ud800': {} },
      properties: {
        x: { $ref: '#/definitions/a%2Fb' },
        y: { $ref: '#/definitions/a#' },
        z: { $ref: '#/definitions/%257E1' },
        lone: { $ref: '#/definitions/\ud800' },
      },
    });
    expect(() => check({ x: 'text', y: 1, z: null, lone: 1 })).to.not.throw();
    expect(() => check({ x: 1 })).to.throw('/x: must be string');
    expect(() => check({ y: '1' })).to.throw('/y: must be integer');
    expect(() => check({ z: 1 })).to.throw('/z: must be null');
  });

  it('are checked where they say that they are asynchronous', () => {
    for (const schema_ of [{ $async: true, type: 'string' }, { allOf: [{ $async: true, type: 'string' }] }]) {
      expect(() => checkOf(schema_)(1)).to.throw('must be string');
    }
  });

  it('do not have what is no schema taken for an address', () => {
    const twice = { $id: 'https://example.com/a', $anchor: 'b', $dynamicAnchor: 'c' };
    const named = { ...twice, type: 'string' };
    const check = checkOf({ x: twice, y: { z: named }, default: twice, properties: { n: named, m: named } });
    expect(() => check({ n: 1 })).to.throw('/n: must be string');
    expect(() => check({ m: 1 })).to.throw('/m: must be string');
    const pointer = { $id: '#/definitions/a', properties: { a: { type: 'array', uniqueItems: true } } };
    const round = checkOf({ definitions: { 'a#': {} }, allOf: [{ $ref: '#/definitions/a#' }], x: pointer });
    expect(() => round({ a: [1, 1] })).to.not.throw();
    const constant = checkOf({ const: twice });
    expect(() => constant(twice)).to.not.throw();
    expect(() => constant({})).to.throw('must be equal to constant');
  });

  it('compare facts whose names mean something elsewhere, such as `toString`', () => {
    const odd: object[] = ['toString', 'valueOf', 'constructor', 'hasOwnProperty'].map((name) => ({ [name]: 1 }));
    for (const value of odd) {
      expect(() => checkOf({ enum: [{ a: 1 }] })(value)).to.throw(
        'the value: must be equal to one of the allowed values',
      );
      expect(() => checkOf({ const: { toString: 'a' } })(value)).to.throw('the value: must be equal to constant');
      expect(() => checkOf({ enum: [1, null, ...odd] })(value)).to.not.throw();
      const unique = checkOf({ properties: { list: { uniqueItems: true, maxItems: 9 } } });
      expect(() => unique({ list: [1, value, '1', { ...value }] })).to.throw(
        '/list: must NOT have duplicate items (items ## 1 and 3 are identical)',
      );
      expect(() => unique({ list: [1, value, '1', true, null] })).to.not.throw();
    }
    expect(() => checkOf({ uniqueItems: true, maxItems: 9 })(['a', 1, 'a'])).to.throw('items ## 0 and 2');
    expect(() => checkOf({ uniqueItems: false })([1, 1])).to.not.throw();
    expect(() => checkOf({ enum: ['a'] })('b')).to.throw('allowed values (["a"])');
  });

  it('with more properties than a thread can compile are refused as too large, with what to do', () => {
    const properties = Object.fromEntries(Array.from({ length: 4900 }, (_, at) => [`p${at}`, { type: 'number' }]));
    expect(() => checkOf({ properties }))
      .to.throw('too many properties')
      .with.property('code', 'limit_program');
  });

  it('compare items on the steps of the run', () => {
    const check = compileSchema({ uniqueItems: true, maxItems: 10_000 }, new Footprint());
    const items = Array.from({ length: 2000 }, (_, id) => ({ id }));
    expect(() => check(items, buildScope({ steps: 5_000_000 }).run)).to.not.throw();
    expect(() => check(items, buildScope({ steps: 1_000_000 }).run))
      .to.throw()
      .with.property('code', 'limit_steps');
  });

  it('compare lists within items on the steps of the run, also those that are shared', () => {
    const lists = (): Value => Array.from({ length: 10 }).reduce<Value>((list: Value) => [list, list], [1]);
    for (const schema of [
      { uniqueItems: true, maxItems: 2 },
      { items: { const: lists() } },
      { items: { enum: [lists()] } },
    ]) {
      const checking = () => compileSchema(schema, new Footprint())([lists(), lists()], buildScope({ steps: 500 }).run);
      expect(checking).to.throw().with.property('code', 'limit_steps');
    }
  });

  it('match patterns in linear time', () => {
    const check = checkOf({ pattern: '^(a+)+$' });
    const took = ownTime();
    expect(() => check(`${'a'.repeat(50_000)}!`)).to.throw();
    expect(took()).to.be.lessThan(allowedMs(1000));
  });

  it('refuse texts whose product with the pattern is too much work, and charge for the others', () => {
    const model = guarded({ additionalProperties: { pattern: '^(.*a){400}$' } });
    expect(failureOf(model, { a: 'a'.repeat(200_000) }).error).to.include({ code: 'limit_string', nodeId: 'in' });
    const limits = { ...defaultLimits, steps: 10_000 };
    expect(resultOf(model, { a: 'a'.repeat(400) }, { limits })).to.have.property('a');
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 'a'.repeat(400)]));
    expect(failureOf(model, many, { limits }).error.code).to.equal('limit_steps');
  });
});
