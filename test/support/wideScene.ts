import { expect } from 'chai';
import type { TestApp } from './app.js';
import { ask, checked, protect, requestsPath, review } from './changes.js';
import { buildConsoleScene, type ConsoleScene } from './consoleScene.js';
import { eventually } from './eventually.js';
import { buildClient } from './factories.js';
import { between, type Model } from './models.js';
import { replayed } from './replays.js';
import { testStore } from './scene.js';
import { callerOf } from './http.js';
import { tokenOf } from './tokens.js';

/** A console's scene with the work of a whole team: prices in a table of sixty rows, requests, outcomes, monitors. */
export interface WideScene extends ConsoleScene {
  readonly pricingId: string;
  /** Its cells are written as in a spreadsheet. */
  readonly mistakenId: string;
  readonly requestId: string;
}

const products = ['Personal', 'Car', 'Mortgage'] as const;
const scores = ['>= 750', '[700..750)', '[650..700)', '[600..650)', '< 600'] as const;
const months = ['<= 24', '(24..60]', '(60..120]', '> 120'] as const;

/** A table of 3 × 5 × 4 rows. @param best rate of the best score */
function pricing(best: number): Model {
  const rules = products.flatMap((product, p) =>
    scores.flatMap((score, s) =>
      months.map((span, m) => ({
        _id: `${p}-${s}-${m}`,
        product: `"${product}"`,
        score,
        months: span,
        decision: s === 4 ? '"refused"' : s === 3 && m === 3 ? '"review"' : '"granted"',
        rate: s === 4 ? '' : (best + s * 1.25 + m * 0.4 - p * 0.5).toFixed(2),
        ...(m === 0 && s === 0 ? { _description: `best of ${product.toLowerCase()}` } : {}),
      })),
    ),
  );
  const column = (id: string, name: string): object => ({ id, name, field: id });
  const inputs = [
    column('product', 'Product'),
    column('score', 'Credit score'),
    column('months', 'Duration in months'),
  ];
  const outputs = [column('decision', 'Decision'), column('rate', 'Yearly rate')];
  const content = { hitPolicy: 'first', inputs, outputs, rules };
  const model = between({ id: 'rates', type: 'decisionTableNode', name: 'Rates', content });
  const [request, ...others] = model['nodes'] as readonly object[];
  const number = { type: 'number' };
  const properties = { product: { type: 'string', enum: products }, score: number, months: number };
  const schema = JSON.stringify({ type: 'object', properties, required: Object.keys(properties) });
  return {
    ...model,
    nodes: [{ ...request, content: { schema } }, ...others],
    tests: [{ name: 'best score', input: pricedFact, output: { decision: 'granted', rate: best } }],
  };
}

export const pricedFact = { product: 'Personal', score: 780, months: 24 };

/** As somebody writes it who knows spreadsheets: nothing of it is refused, and little of it matches. */
function mistaken(): Model {
  const model = JSON.parse(JSON.stringify(pricing(3.9))) as {
    nodes: { id: string; content: { rules: Record<string, string>[] } }[];
  };
  const rules = model.nodes.find(({ id }) => id === 'rates')?.content.rules ?? [];
  for (const [row, cells] of [
    [0, { product: 'Personal', score: '750-850' }],
    [1, { product: 'Personal', rate: '4,30' }],
    [2, { product: 'Car loan' }],
    [3, { product: '"Personal"', score: '>= 75 %' }],
    [9, { ...rules[8], _id: 'again' }],
  ] as const) {
    Object.assign(rules[row] ?? {}, cells);
  }
  return model;
}

export async function buildWideScene(app: TestApp): Promise<WideScene> {
  const made = await buildConsoleScene(app);
  const { scene, environmentId, decisionId } = made;
  const { caller } = scene;
  const pricingId = await scene.decision('credit/pricing.json', pricing(3.9));
  await scene.decision('credit/pricing.json', pricing(3.5));
  const mistakenId = await scene.write('credit/pricing-draft.json', mistaken());
  await scene.deploy(pricingId, environmentId, 1);
  await caller.put(`/logic/decisions/${pricingId}/measured`, { pointers: ['/decision', '/rate'] });
  const items = Array.from({ length: 240 }, (_, at) => ({
    fact: { ...pricedFact, product: products[at % 3], score: 540 + ((at * 37) % 300), months: 12 + ((at * 13) % 130) },
    reference: `case-${at}`,
  }));
  await caller.post(`/logic/${environmentId}/decisions/${pricingId}/batches`, { items });
  const outcomes = items.flatMap(({ reference }, at) =>
    at % 2 === 0 ? [{ reference, name: 'default', value: at % 14 === 0 }] : [],
  );
  await caller.put('/logic/outcomes', { outcomes });
  const asked = { outcomes: ['default'], result: { pointer: '/decision', equals: 'refused' } };
  await replayed(caller, { decisionId: pricingId, environmentId, candidate: { version: 2 }, ...asked });
  await caller.post('/logic/monitors', {
    ...{ environmentId, decisionId: pricingId, name: 'Refusals', window: '1h', condition: '> 0.15' },
    measure: { pointer: '/decision', equals: 'refused' },
  });
  await caller.put(`/logic/environments/${environmentId}/variables/RATE`, { value: 12.5, secret: false });
  const requestId = await buildRequests(app, { environmentId, pricingId, decisionId, ...scene });
  await eventually(async () => {
    const { body } = await caller.get(`/logic/measures?decisionId=${pricingId}`);
    return (body as { data: { count: number }[] }).data.reduce((sum, { count }) => sum + count, 0) === items.length;
  });
  return { ...made, pricingId, mistakenId, requestId };
}

interface Asked {
  readonly environmentId: string;
  readonly pricingId: string;
  readonly decisionId: string;
}

/** An environment that is protected, and requests in several states. */
async function buildRequests(
  app: TestApp,
  { environmentId, pricingId, decisionId, ...scene }: Asked & ConsoleScene['scene'],
): Promise<string> {
  const { caller, tenantId, workspaceId } = scene;
  await protect(caller, environmentId, {
    requires: { tests: true, analysis: true, replay: 'changed <= 50%', coverage: null },
  });
  const named = { tenantId, workspaces: [workspaceId], name: 'Ann of risk' };
  const ann = await buildClient(testStore(), named);
  const annCaller = callerOf(app.baseUrl, await tokenOf(app.baseUrl, ann), workspaceId);
  const rejected = await ask(caller, environmentId, [{ type: 'deploy', decisionId, version: 1 }]);
  await checked(caller, rejected);
  await review(annCaller, rejected, 'reject');
  const answer = await caller.post(requestsPath, {
    environmentId,
    title: 'Cheaper for good scores',
    message: 'Agreed by the pricing committee on Monday.',
    changes: [
      { type: 'deploy', decisionId: pricingId, version: 2 },
      { type: 'variable', name: 'RATE', value: 11 },
    ],
  });
  expect(answer.status, answer.text).to.equal(201);
  const request = answer.body as { id: string };
  await checked(caller, request);
  return request.id;
}
