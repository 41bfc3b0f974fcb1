import { expect } from 'chai';
import fc from 'fast-check';
import { run } from '../../../workers/run.js';
import { chain, expressions, script, taskOf, type TestNode } from '../../support/tasks.js';
import { cases } from '../../support/environment.js';

const handler = (body: string): TestNode =>
  script(`import { env } from 'env'; import zen from 'zen'; import http from 'http'; import zod from 'zod';
    export const handler = async (input) => { ${body} }`);
const failing = expressions({ bad: "number(nothing ?? 'x')" });
const schemaOf = (schema: object): TestNode => ({
  type: 'outputNode',
  content: { schema: JSON.stringify(schema) },
});

/** Ways of a secret `$env.S` through a model, in which the engine itself writes it anew, or a part of it. */
const ways: Readonly<Record<string, readonly TestNode[]>> = {
  'as it is': [expressions({ a: '$env.S' }), failing],
  'as text': [expressions({ a: 'string($env.S)', b: '`<${$env.S}>`' }), failing],
  'with its sign turned': [expressions({ a: "type($env.S) == 'number' ? -$env.S : 0" }), failing],
  'in other cases': [expressions({ a: "type($env.S) == 'string' ? [upper($env.S), lower($env.S)] : 1" }), failing],
  'as a key': [expressions({ a: '{[string($env.S)]: 1}' }), failing],
  'in the error of an expression': [expressions({ a: "d('2024-01-01').add(string($env.S))" })],
  'in the error of a number': [expressions({ a: "number('x' + string($env.S))" })],
  'in the path of a schema': [
    expressions({ a: '{[string($env.S)]: 1}' }),
    schemaOf({ properties: { a: { additionalProperties: { type: 'string' } } } }),
  ],
  'in a path of paths': [
    expressions({ a: '{[string($env.S)]: {[string($env.S)]: [1]}}' }),
    schemaOf({
      properties: { a: { additionalProperties: { additionalProperties: { items: { type: 'string' } } } } },
    }),
  ],
  'as properties that a schema does not know': [
    expressions({ a: '{[string($env.S)]: 1}' }),
    schemaOf({ properties: { a: { additionalProperties: false } } }),
  ],
  'as JSON that is none': [handler('JSON.parse(env.S + "!")')],
  'as JSON that is none, caught and returned': [
    handler('try { JSON.parse("[" + env.S + "!") } catch (error) { return { failed: error.message } }'),
    failing,
  ],
  'as code': [handler('eval(String(env.S))(1)')],
  'as code that is logged': [
    handler('try { (0, eval)(String(env.S))(1) } catch (error) { console.log(error.message, error, String(error)) }'),
    failing,
  ],
  'as a function': [handler('new Function("return " + env.S)()(1)')],
  'as an expression of ZEN': [handler('zen.evaluateExpression(`${env.S} ${env.S}(`, {}); throw 1')],
  'as an expression of ZEN, caught and returned': [
    handler('try { zen.evaluateExpression(`${env.S}(`, {}); } catch (error) { return { failed: error.message } }'),
    failing,
  ],
  'in a context of ZEN': [handler("zen.evaluateExpression('number(`x` + string(x))', { x: env.S })")],
  'as a host': [handler('await http.get("http://" + env.S + "/")')],
  'as a name below a host': [handler('await http.get("http://" + env.S + ".example.com/a?b=" + env.S)')],
  'as a scheme': [handler('await http.get(env.S + "://example.com/")')],
  'as a header': [handler('await http.get("http://example.com/", { headers: { [env.S]: "\\n" } })')],
  'as a parameter': [handler('await http.get("http://example.com/", { params: { [env.S]: [] } })')],
  'in an address’s query': [handler('await http.get("http://example.com/?q=" + encodeURIComponent(env.S))')],
  'as a module': [handler('await import(String(env.S))')],
  'as what a library does not take': [handler('zod.enum(["a", "b"]).parse(String(env.S))')],
  'in JSON in JSON in a log line': [
    handler('console.log(JSON.stringify({ a: JSON.stringify({ [env.S]: env }) }), env)'),
    failing,
  ],
  'in what is thrown': [handler('throw { message: env.S, name: env.S, stack: env.S }')],
  'in the stack of a returned error': [handler('return { error: new Error(`no ${env.S}`) }'), failing],
};

/** All that leaves the worker of a failed run. */
async function shownOf(nodes: readonly TestNode[], secret: unknown): Promise<string> {
  const configuration = { variables: { S: secret }, secrets: ['S'], httpHosts: ['example.org'] };
  const { programId, ...task } = taskOf(chain(...nodes), { fact: { some: 'fact' }, configuration });
  const reply = await run({ programId, ...task });
  if (reply.kind !== 'done' || reply.status !== 'FAILED') throw new Error(JSON.stringify(reply));
  const { engineUs: _time, ...texts } = reply;
  return JSON.stringify(texts);
}

/** Whether a text shows as much as six characters of a secret in a row, in either case. */
function showsPart(text: string, secret: string): boolean {
  const shown = text.toLowerCase();
  for (let at = 0; at + 6 <= secret.length; at++) {
    if (shown.includes(secret.slice(at, at + 6).toLowerCase())) return true;
  }
  return false;
}

// Without vowels: no word of a message.
const sign = '[bcdfghjkmpqvwxzBCDFGHJKMPQVWXZ0-9]';
const unlikely = fc.stringMatching(new RegExp(`^b${sign}{9}[-_.:/ +"'%~@$#!=ä]{1,3}${sign}{10,20}$`));
const word = fc.stringMatching(new RegExp(`^b${sign}{12,30}$`));
const number = fc
  .tuple(fc.integer({ min: 1_234_567, max: 98_765_432 }), fc.integer({ min: -26, max: 20 }), fc.boolean())
  .filter(([digits]) => digits % 10 !== 0)
  .map(([digits, exponent, negative]) => ({
    digits: String(digits),
    value: Number(`${negative ? '-' : ''}${digits}e${exponent}`),
  }));

describe('secrets that the engine writes anew', () => {
  for (const [way, nodes] of Object.entries(ways)) {
    it(`are in nothing that leaves the worker: ${way}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(unlikely, word), async (secret) => {
          const shown = await shownOf(nodes, secret);
          expect(showsPart(shown, secret), shown).to.equal(false);
        }),
        { numRuns: cases(12) },
      );
      await fc.assert(
        fc.asyncProperty(number, fc.boolean(), async ({ digits, value }, asText) => {
          const shown = await shownOf(nodes, asText ? String(value) : value);
          expect(shown.replaceAll('.', ''), shown).to.not.include(digits);
        }),
        { numRuns: cases(12) },
      );
    });
  }

  it('are in nothing that leaves the worker, as keys and values of JSON', async () => {
    await fc.assert(
      fc.asyncProperty(unlikely, word, number, async (key, value, { digits, value: count }) => {
        const secret = { [key]: [{ [value]: count }], other: key };
        for (const nodes of [
          [expressions({ a: '$env.S' }), failing],
          [expressions({ a: 'keys($env.S)', b: 'values($env.S)' }), failing],
          [expressions({ a: '$env.S' }), schemaOf({ properties: { a: { additionalProperties: { type: 'null' } } } })],
          [handler('console.log(env); throw new Error(JSON.stringify(env.S))')],
          [handler('await http.get("http://" + Object.keys(env.S)[0])')],
        ]) {
          const shown = await shownOf(nodes, secret);
          for (const part of [key, value]) expect(showsPart(shown, part), shown).to.equal(false);
          expect(shown.replaceAll('.', ''), shown).to.not.include(digits);
        }
      }),
      { numRuns: cases(15) },
    );
  });
});
