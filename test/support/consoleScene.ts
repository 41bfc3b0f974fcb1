import { expect } from 'chai';
import type { TestApp } from './app.js';
import { loan } from './loan.js';
import { expressing, type Model } from './models.js';
import { replayed } from './replays.js';
import { buildScene, type Scene } from './scene.js';

/** A workspace with something on every page of the console. */
export interface ConsoleScene {
  readonly scene: Scene;
  /** A decision with two versions. */
  readonly decisionId: string;
  readonly environmentId: string;
  readonly executionId: string;
  /** A replay that has ended, with cases that would change. */
  readonly replayId: string;
}

export const loanFact = { age: 41, income: 5000, debts: 400, amount: 12000, months: 48, score: 700 };

export async function buildConsoleScene(app: Pick<TestApp, 'baseUrl'>): Promise<ConsoleScene> {
  const scene = await buildScene(app);
  const decisionId = await scene.decision('credit/loan.json', loan(5.4));
  await scene.decision('credit/loan.json', loan(4.4));
  await scene.decision('credit/limits/private.json', expressing({ limit: 'income * 0.3' }));
  await scene.decision('shop/discount.json', expressing({ discount: 'orders > 10 ? 0.05 : 0' }));
  await scene.write('shop/unfinished.json', expressing({ discount: 'orders' }));
  const [environmentId] = await Promise.all(
    [
      { name: 'Production', color: '#059669' },
      { name: 'Staging', color: '#D97706' },
    ].map(async (fields) => created(await scene.caller.post('/logic/environments', fields))),
  );
  if (environmentId === undefined) throw new Error('no environment');
  for (const version of [1, 2]) await scene.deploy(decisionId, environmentId, version);
  let executionId = '';
  for (let index = 0; index < 8; index++) {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const body = { fact: { ...loanFact, score: 560 + 40 * index } };
    executionId = created(await scene.caller.post(path, body, { 'Execution-Reference': `order-${4711 + index}` }));
  }
  const measures = [{ name: 'mean rate', expression: 'result.rate', aggregate: 'mean' }];
  const request = { decisionId, environmentId, candidate: { version: 1 }, measures };
  const { id: replayId } = await replayed(scene.caller, request);
  return { scene, decisionId, environmentId, executionId, replayId };
}

function created({ status, body, text }: { status: number; body: unknown; text: string }): string {
  expect(status, text).to.equal(201);
  return (body as { id: string }).id;
}

/** A chain of so many nodes, without positions: the console lays them out. */
export function chainOf(count: number): Model {
  const ids = Array.from({ length: count - 2 }, (_, index) => `n${index}`);
  const way = ['in', ...ids, 'out'];
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', content: {} },
      ...ids.map((id, index) => ({
        id,
        type: 'expressionNode',
        name: `Step ${index}`,
        content: { expressions: [{ id: 'e', key: `v${index}`, value: `${index}` }], passThrough: true },
      })),
      { id: 'out', type: 'outputNode', name: 'Response', content: {} },
    ],
    edges: way.slice(1).map((id, index) => ({ id: `edge${index}`, type: 'edge', sourceId: way[index], targetId: id })),
  };
}

/** A table of so many rows: `{code}` to `{fee}`. */
export function tableOf(rows: number): Model {
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'Request', position: { x: 0, y: 0 }, content: {} },
      {
        id: 'fees',
        type: 'decisionTableNode',
        name: 'Fees',
        position: { x: 260, y: 0 },
        content: {
          hitPolicy: 'first',
          inputs: [{ id: 'code', name: 'Code', field: 'code' }],
          outputs: [{ id: 'fee', name: 'Fee', field: 'fee' }],
          rules: Array.from({ length: rows }, (_, index) => ({
            _id: `r${index}`,
            code: `${index}`,
            fee: `${index * 2}`,
          })),
        },
      },
      { id: 'out', type: 'outputNode', name: 'Response', position: { x: 520, y: 0 }, content: {} },
    ],
    edges: [
      { id: 'a', type: 'edge', sourceId: 'in', targetId: 'fees' },
      { id: 'b', type: 'edge', sourceId: 'fees', targetId: 'out' },
    ],
  };
}
