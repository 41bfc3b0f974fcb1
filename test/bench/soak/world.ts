import { setTimeout as sleep } from 'node:timers/promises';
import { expressing, type Model } from '../../support/models.js';
import type { ServerProcess } from '../../support/process.js';
import { buildScene, type Place, type Scene } from '../../support/scene.js';
import { chain, expressions, script } from '../../support/tasks.js';
import { Ledger } from './ledger.js';
import { Promised } from './promises.js';

/** What the load is made for, and what is known of it. */
export interface World {
  readonly scene: Scene;
  /** Its models hurt; a workspace of its own, as fairness is between workspaces. */
  readonly hostile: { readonly scene: Scene; readonly endless: Place };
  /** Versions `1` to `versions`: `{x}` to `{v: version, y: x * version}`. */
  readonly priced: { readonly decisionId: string; readonly versions: number };
  /** Where it is deployed, over and over. */
  readonly pairs: readonly DeployedPair[];
  readonly scripted: Place;
  readonly failing: Place;
  readonly ledger: Ledger;
}

export interface DeployedPair {
  readonly environmentId: string;
  readonly path: string;
  readonly promised: Promised;
  /** Deployments that are known to stand, the one in force last. */
  readonly standing: { readonly id: string; readonly version: number }[];
}

const versions = 6;
const pairCount = 3;

const priced = (version: number): Model => expressing({ v: String(version), y: `x * ${version}` });
const tripling = 'export const handler = async (input) => ({ y: input.x * 3 })';
/** Runs until it is stopped. */
export const loop = (): Model => chain(script('export const handler = async () => { while (true) {} }')) as Model;

/** @param graceMs what another process than the one that answered a change may lag behind */
export async function buildWorld(server: ServerProcess, graceMs: number): Promise<World> {
  const scene = await buildScene(server);
  let decisionId = '';
  for (let version = 1; version <= versions; version++)
    decisionId = await scene.decision('priced.json', priced(version));
  const pairs: DeployedPair[] = [];
  for (let index = 0; index < pairCount; index++) {
    const environmentId = await scene.environment();
    const promised = new Promised(graceMs);
    const id = await scene.deploy(decisionId, environmentId, 1);
    promised.begin(1).confirmed();
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    pairs.push({ environmentId, path, promised, standing: [{ id, version: 1 }] });
  }
  const hostile = await buildScene(server);
  const world = {
    scene,
    hostile: { scene: hostile, endless: await hostile.deployed('endless.json', loop()) },
    priced: { decisionId, versions },
    pairs,
    scripted: await scene.deployed('scripted.json', chain(script(tripling)) as Model),
    failing: await scene.deployed('failing.json', chain(expressions({ broken: 'len(x)' })) as Model),
    ledger: new Ledger(),
  };
  // Until every process has heard of all that.
  await sleep(graceMs);
  return world;
}
