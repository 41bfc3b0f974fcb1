import { expect } from 'chai';
import fc from 'fast-check';
import { importDecisions } from '../../../src/decisions/writing/importDecisions.js';
import { otherModel, someModel } from '../../differential/graphs.js';
import { someFact, someJson } from '../../differential/values.js';
import { useApp } from '../../support/app.js';
import { cases, seed, wholeNumber } from '../../support/environment.js';
import { testActor } from '../../support/factories.js';
import { doubling, type Model } from '../../support/models.js';
import { documentOf, testDatabase, useScene } from '../../support/scene.js';

/** `EXPLANATIONS=2000` takes more. */
const count = wholeNumber('EXPLANATIONS') ?? cases(60);
const models = Math.min(Math.ceil(count / 5), 100);

interface Node {
  readonly id: string;
  readonly type: string;
}
interface Graph {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly sourceId: string; readonly targetId: string }[];
}

const draw = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] => fc.sample(arbitrary, { seed, numRuns });
/** Of the variables `V` and `W`, before, between and after the executions. */
const values = draw(fc.tuple(someJson, someJson), 3);

/** Draws lots, reads the clock and variables before the rest of the model runs. */
const circumstances = {
  id: 'circumstances',
  name: 'circumstances',
  type: 'expressionNode',
  content: {
    passThrough: true,
    expressions: [
      { id: '1', key: 'dice', value: 'rand(1000000)' },
      { id: '2', key: 'now', value: "date('now')" },
      { id: '3', key: 'v', value: '$env.V' },
      { id: '4', key: 'whole', value: 'len(keys($env)) > 2 ? $env : null' },
      { id: '5', key: 'secret', value: "$env.SECRET == 'x' ? 1 : $env.SECRET" },
    ],
  },
};
const script = {
  id: 'script',
  name: 'script',
  type: 'functionNode',
  content: {
    source: `export const handler = async (input) => {
      const order = [];
      await Promise.all([3, 1, 2].map((ms) => console.sleep(ms).then(() => order.push([ms, Date.now()]))));
      return { ...input, order, more: Math.random(), w: input.$env.W ?? null };
    };`,
  },
};

/** The model with further nodes behind its input. */
function withNodes(model: unknown, added: readonly Node[]): Model {
  const { nodes, edges } = model as Graph;
  const root = nodes.find(({ type }) => type === 'inputNode')?.id ?? '';
  const last = added.at(-1)?.id ?? root;
  const moved = edges.map((edge) => (edge.sourceId === root ? { ...edge, sourceId: last } : edge));
  const chain = added.map(({ id }, index) => ({
    id: `added-${index}`,
    sourceId: added[index - 1]?.id ?? root,
    targetId: id,
  }));
  return { nodes: [...nodes, ...added], edges: [...moved, ...chain] };
}

describe(`random models, facts and variables (SEED=${seed} EXPLANATIONS=${count} repeats them)`, function () {
  this.timeout(300_000 + count * 500);
  const app = useApp();
  const scene = useScene(app);

  const write = async (key: string, model: Model, save: boolean): Promise<string> => {
    const candidates = [{ key, document: documentOf(model) }];
    const { workspaceId } = scene;
    const outcome = await importDecisions(testDatabase(), {
      ...{ workspaceId, actor: testActor, candidates },
      ...{ save, force: !save },
    });
    // What has errors runs as far as it is right, as a working copy.
    return outcome.kind === 'done' ? (outcome.decisions[0]?.id ?? '') : write(key, model, false);
  };
  const setAll = async (environmentId: string, round: number): Promise<void> => {
    const [v, w] = values[round] ?? [];
    await scene.variable(environmentId, 'V', v);
    await scene.variable(environmentId, 'W', w);
    // No fact has it in it: that would be redacted.
    await scene.variable(environmentId, 'SECRET', `hush-hush-${round}`, true);
  };
  const deployedVersion = async (decisionId: string): Promise<number> => {
    const { body } = await scene.caller.get(`/logic/decisions/${decisionId}`);
    return (body as { latestVersion: number | null }).latestVersion ?? 0;
  };

  it('are explained exactly after everything was changed', async () => {
    const environmentId = await scene.environment();
    await setAll(environmentId, 0);
    const others = draw(otherModel, 2);
    await write('other', withNodes(others[0], [circumstances]), true);
    const decisionIds: string[] = [];
    for (const [index, model] of draw(someModel, models).entries()) {
      const added = index % 4 === 0 ? [circumstances, script] : [circumstances];
      const decisionId = await write(`d${index}`, withNodes(model, added), index % 2 === 0);
      await scene.deploy(decisionId, environmentId, await deployedVersion(decisionId));
      decisionIds.push(decisionId);
    }
    await scene.settled();
    const facts = draw(someFact, count);
    const execute = (index: number): Promise<string> => run(environmentId, decisionIds[index % models], facts[index]);
    const half = Math.floor(count / 2);
    const ids = await inParallel(half, execute);
    await setAll(environmentId, 1);
    await scene.settled();
    ids.push(...(await inParallel(count - half, (index) => execute(half + index))));

    await setAll(environmentId, 2);
    await write('other', withNodes(others[1], []), true);
    for (const [index, decisionId] of decisionIds.entries()) {
      await write(`d${index}`, doubling(index), true);
      await scene.deploy(decisionId, environmentId, 0);
    }
    const texts = await inParallel(ids.length, (index) => explain(ids[index] ?? ''));
    const wrong = texts.filter((text) => !text.includes('"exact":true,"reasons":[],'));
    expect(wrong).to.deep.equal([]);
    expect(texts).to.have.length(count);
    // Otherwise nothing was shown.
    expect(new Set(texts.map((text) => text.slice(text.indexOf('"result"')))).size).to.be.above(count / 4);
  });

  async function run(environmentId: string, decisionId = '', fact: unknown): Promise<string> {
    const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact });
    expect(answer.status, answer.text).to.equal(201);
    return (answer.body as { id: string }).id;
  }
  async function explain(id: string): Promise<string> {
    const { status, text } = await scene.caller.get(`/logic/executions/${id}/explanation`);
    expect(status, text).to.equal(200);
    return text;
  }
});

/** Eight at a time; results in order. */
async function inParallel(length: number, work: (index: number) => Promise<string>): Promise<string[]> {
  const results = new Array<string>(length).fill('');
  let next = 0;
  const one = async (): Promise<void> => {
    for (let index = next++; index < length; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return results;
}
