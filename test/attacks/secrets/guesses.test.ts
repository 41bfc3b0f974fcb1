import { expect } from 'chai';
import { idToBytes } from '../../../src/storage/ids.js';
import { useApp } from '../../support/app.js';
import { verdictWith } from '../../support/cli.js';
import { isLong } from '../../support/environment.js';
import { remoteEnvironment } from '../../support/remote.js';
import { testDatabase, useScene } from '../../support/scene.js';
import { chain, expressions, script, type TestNode } from '../../support/tasks.js';

/** Who sends guesses, and what they stand for in what comes back. */
const pin = '482136';
const wrong = '482137';

const handler = (body: string): TestNode =>
  script(`import { env } from 'env'; import zen from 'zen';
    export const handler = async (input) => { ${body} }`);
const failing = expressions({ bad: "number(nothing ?? 'x')" });

/** Models that never read PIN, though some read other secrets; each shows what the caller sent, and fails. */
const models: Readonly<Record<string, readonly TestNode[]>> = {
  'that reads nothing': [failing],
  'that echoes the guess': [expressions({ echo: 'guess', text: "'is it ' + guess + '?'" }), failing],
  'whose error quotes the guess': [expressions({ bad: "d('2024-01-01').add(string(guess))" })],
  'that calculates with the guess': [expressions({ next: 'number(guess) + 0', bad: "number(guess) - 'x'" })],
  'that reads another secret by name': [expressions({ token: '$env.TOKEN', same: 'guess' }), failing],
  'that reads another secret by a computed name': [
    expressions({ token: "$env['TO' + 'KEN']", same: 'guess' }),
    failing,
  ],
  'that reads the variable of the caller’s choice': [expressions({ token: '$env[name]', same: 'guess' }), failing],
  'that only asks which variables there are, in a function node': [
    handler("console.log(Object.keys(env), 'PIN' in env, input); throw new Error('no ' + input.guess)"),
  ],
  'whose function node logs the fact, and reads another secret': [
    handler('console.log(input, JSON.stringify(input), env.TOKEN); throw new Error(`no ${input.guess}`)'),
  ],
  'whose function node reads another secret by zen': [
    handler("console.log(zen.evaluateExpression('$env.TOKEN + string(guess)', input)); throw input.guess"),
  ],
  'whose branch that reads PIN is not taken': [
    expressions({ token: "guess == 'never' ? $env.PIN : guess", other: 'false and $env.PIN == guess' }),
    failing,
  ],
  'whose table cell that reads PIN is not reached': [
    {
      type: 'decisionTableNode',
      content: {
        hitPolicy: 'first',
        inputs: [{ id: 'i', name: 'guess', field: 'guess' }],
        outputs: [{ id: 'o', name: 'o', field: 'o' }],
        rules: [
          { _id: 'r1', i: "'never'", o: '$env.PIN' },
          { _id: 'r2', i: '', o: 'guess' },
        ],
      },
    },
    failing,
  ],
};

/** Facts that hold a guess, in whatever way. */
const facts: Readonly<Record<string, (guess: string) => object>> = {
  'as a text': (guess) => ({ guess, name: 'TOKEN' }),
  'as a number': (guess) => ({ guess: Number(guess), name: 'TOKEN' }),
  'as a key': (guess) => ({ guess: 'x', name: 'TOKEN', [guess]: 1, deep: [{ [`a ${guess}`]: null }] }),
  'in other text, nested': (guess) => ({
    guess: `${guess}, I guess`,
    name: 'TOKEN',
    deep: [{ list: [[`<${guess}>`]] }],
  }),
  encoded: (guess) => ({
    guess: Buffer.from(guess).toString('base64'),
    name: 'TOKEN',
    deep: [`%${guess}`, `\\"${guess}`],
  }),
  'with others': (guess) => ({ guess, name: 'TOKEN', others: ['111111', guess, Number(guess), 222222] }),
};

/** What can be seen, with the guess by the same name whatever it was; without times and ids. */
function seen(text: string, guess: string): string {
  return text
    .replaceAll(guess, 'GUESS')
    .replaceAll(Buffer.from(guess).toString('base64'), 'GUESS')
    .replace(/\\*"(?:performance|createdAt|updatedAt|id|requestId|engineMs)\\*":\s*(?:\\*"[^"\\]*\\*"|[\d.]+)/g, '')
    .replace(/msSinceRun\\*":\s*\d+/g, '');
}

describe('guesses of secrets', () => {
  const app = useApp({ LOG_LEVEL: 'trace' });
  const scene = useScene(app);
  let environmentId: string;
  before(async () => {
    environmentId = await scene.environment();
    await scene.variable(environmentId, 'PIN', pin, true);
    await scene.variable(environmentId, 'NUMBER', Number(pin), true);
    await scene.variable(environmentId, 'TOKEN', 'sk_live_51Hxyz', true);
  });

  async function deployed(nodes: readonly TestNode[]): Promise<string> {
    const key = `m${Math.random()}.json`;
    const { decisionId } = await scene.deployed(key, chain(...nodes) as Record<string, unknown>, environmentId);
    return decisionId;
  }

  /** The answer to an execution, and what is recorded of it. */
  async function shown(decisionId: string, fact: object): Promise<{ answer: string; row: string; cli: string }> {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const { status, text, body } = await scene.caller.post(path, { fact });
    expect(status, text).to.equal(201);
    const { id } = body as { id: string };
    const row = await testDatabase()('executions')
      .where({ id: idToBytes(id) })
      .first<object>('fact', 'result', 'error', 'trace');
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    const show = await verdictWith(environment, 'execution', 'show', id, '--json');
    expect(show.exit, show.stderr).to.equal(0);
    return { answer: text, row: JSON.stringify(row), cli: show.stdout };
  }

  for (const [at, [model, nodes]] of Object.entries(models).entries()) {
    it(`are not answered by a model ${model}`, async () => {
      const decisionId = await deployed(nodes);
      // In the short form two of them for each model, in turn.
      const some = Object.entries(facts).filter((_, fact) => isLong || (fact + at) % 3 === 0);
      for (const [how, factOf] of some) {
        const [right, other] = [await shown(decisionId, factOf(pin)), await shown(decisionId, factOf(wrong))];
        expect(right.answer, how).to.include('FAILED');
        for (const part of ['answer', 'row', 'cli'] as const) {
          expect(seen(right[part], pin), `${how}: ${part}`).to.equal(seen(other[part], wrong));
        }
        expect(right.answer, how).to.not.include('sk_live_51Hxyz');
      }
      expect(app.log()).to.not.include('sk_live_51Hxyz');
    });
  }

  it('are not answered by an evaluation, which has no variables', async () => {
    const decisionId = await deployed([expressions({ echo: 'guess', none: '$env.PIN' }), failing]);
    const path = `/logic/decisions/${decisionId}/evaluations`;
    for (const factOf of Object.values(facts)) {
      const [right, other] = await Promise.all(
        [pin, wrong].map((guess) => scene.caller.post(path, { version: 1, fact: factOf(guess) })),
      );
      expect(right?.status, right?.text).to.equal(201);
      expect(seen(right?.text ?? '', pin)).to.equal(seen(other?.text ?? '', wrong));
    }
  });

  it('that a model has read PIN for are taken out with it, wherever they stand', async () => {
    const readers: readonly (readonly TestNode[])[] = [
      [expressions({ pin: '$env.PIN' }), failing],
      [expressions({ pin: '$env[name]' }), failing],
      [expressions({ all: '$env' }), failing],
      [expressions({ all: 'values($env)' }), failing],
      [expressions({ all: 'map(["PIN"], $env[#])' }), failing],
      [handler('console.log(env.PIN, { ...env }); throw new Error(`no ${input.$env.PIN}`)')],
      [handler('const { PIN } = env; return { PIN };'), failing],
      [handler('return JSON.parse(JSON.stringify(env));'), failing],
      [handler("return { pin: zen.evaluateExpression('$env.PIN', {}) };"), failing],
      [handler('Object.freeze(env); return { pin: Object.entries(env), again: env.PIN };'), failing],
      [{ type: 'functionNode', content: 'const handler = (input, { env }) => ({ pin: env.PIN });' }, failing],
    ];
    for (const nodes of readers) {
      const decisionId = await deployed(nodes);
      const { answer, row, cli } = await shown(decisionId, { guess: pin, name: 'PIN', mine: { [pin]: Number(pin) } });
      expect(answer).to.include('FAILED').and.to.include('[REDACTED]');
      for (const text of [answer, row, cli, app.log()]) expect(text).to.not.include(pin);
    }
  });
});
