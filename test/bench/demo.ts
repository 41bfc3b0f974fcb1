import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';
import type { Model } from '../support/models.js';
import { logicHeaders, type Scene } from '../support/scene.js';

export const demoPath = 'db/seeds/demo/shop/shipping-fee.json';
export const demoModel = JSON.parse(readFileSync(join(projectRoot, demoPath), 'utf8')) as Model & {
  readonly tests: readonly { readonly input: object; readonly output: object }[];
};
export const demoFact: object = demoModel.tests[0]?.input ?? {};

/** The demo's decision, deployed in a new environment, and the request that executes it. */
export interface Executable {
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly decisionId: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const deployDemo = (scene: Scene): Promise<Executable> => deployModel(scene, demoModel, demoFact);

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
