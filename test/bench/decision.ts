import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from '../../db/root.js';
import type { Model } from '../support/models.js';
import { logicHeaders, type Scene } from '../support/scene.js';
import type { Target } from './load.js';
import type { Watched } from './processes.js';

/** DECISION: a file of JDM with `tests`, the first of which says what the benchmarks send; one of the demo's unless given. */
export const decisionPath = resolve(process.env.DECISION || join(projectRoot, 'db/seeds/demo/shop/shipping-fee.json'));
export const decisionModel = readModel(decisionPath);
export const { input: decisionFact, output: decisionResult } = decisionModel.tests[0];

interface ModelTest {
  readonly input: object;
  readonly output: object;
}

function readModel(path: string): Model & { readonly tests: readonly [ModelTest] } {
  try {
    const model = JSON.parse(readFileSync(path, 'utf8')) as Model & { readonly tests?: readonly [ModelTest] };
    if (model.tests?.[0]?.input === undefined) throw new Error('it has no `tests`, the first of which is to be sent');
    return { ...model, tests: model.tests };
  } catch (error) {
    process.stderr.write(`DECISION=${path} cannot be used: ${(error as Error).message}\n`);
    process.exit(2);
  }
}

/** The decision, deployed in a new environment, and the request that executes it. */
export interface Executable {
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly decisionId: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const deployDecision = (scene: Scene): Promise<Executable> => deployModel(scene, decisionModel, decisionFact);

export async function deployModel(scene: Scene, model: Model, fact: object, key = 'bench.json'): Promise<Executable> {
  const decisionId = await scene.decision(key, model);
  const environmentId = await scene.environment();
  const deploymentId = await scene.deploy(decisionId, environmentId, 1);
  return {
    environmentId,
    deploymentId,
    decisionId,
    path: `/logic/${environmentId}/decisions/${decisionId}/executions`,
    headers: { ...logicHeaders(scene), 'Content-Type': 'application/json' },
    body: JSON.stringify({ fact }),
  };
}

export const targetOf = (
  { baseUrl }: { readonly baseUrl: string },
  { path, headers, body }: Executable,
  watched: readonly Watched[] = [],
): Target => ({ url: baseUrl + path, headers, body, watched });
