import { createHistory, type History, type Server } from './history.js';

interface EnvironmentFields {
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
}

export interface Environment extends EnvironmentFields {
  readonly id: string;
  readonly revision: number;
  readonly alive: boolean;
}

interface DeploymentFields {
  readonly decision: number;
  readonly environmentId: string;
  readonly version: number;
  readonly name: string;
}

export interface Deployment extends DeploymentFields {
  readonly id: string;
  readonly revision: number;
  readonly alive: boolean;
}

export interface Route {
  readonly deploymentId: string;
  readonly version: number;
}

/** A decision multiplies by a factor; its versions are numbered from 1. */
interface Decision {
  readonly versions: number[];
  readonly workingCopy: History<number>;
}

/** The first answer to a request with an idempotency key. */
interface Answered {
  readonly request: string;
  readonly text: string;
}

/** What the service should be, in memory: the judge of every answer. */
export interface Model {
  readonly environments: Map<string, Environment>;
  readonly deployments: Map<string, Deployment>;
  readonly decisions: readonly Decision[];
  /** Rows of a pair, oldest first; `pairOf` makes its key. */
  readonly rows: Map<string, Route[]>;
  readonly routes: Map<string, History<Route | null>>;
  /** Of an environment; null when unset. */
  readonly rates: Map<string, History<string | null>>;
  readonly executions: { readonly id: string; readonly environmentId: string; readonly deploymentId: string }[];
  readonly keys: Map<string, Answered>;
  redis: 'up' | 'killed' | 'frozen' | 'unreachable';
}

export function createModel(decisions: number): Model {
  return {
    environments: new Map(),
    deployments: new Map(),
    decisions: Array.from({ length: decisions }, () => ({ versions: [1], workingCopy: createHistory(1) })),
    rows: new Map(),
    routes: new Map(),
    rates: new Map(),
    executions: [],
    keys: new Map(),
    redis: 'up',
  };
}

export const pairOf = (environmentId: string, decision: number): string => `${environmentId}/${decision}`;

export function routeOf({ routes }: Model, pair: string): History<Route | null> {
  const known = routes.get(pair) ?? createHistory<Route | null>(null);
  routes.set(pair, known);
  return known;
}

export function rateOf({ rates }: Model, environmentId: string): History<string | null> {
  const known = rates.get(environmentId) ?? createHistory<string | null>(null);
  rates.set(environmentId, known);
  return known;
}

/** A new deployment's row is in force from now on. */
export function addRow(model: Model, { id, environmentId, decision, version }: Deployment, by: Server): void {
  const pair = pairOf(environmentId, decision);
  const route = { deploymentId: id, version };
  model.rows.set(pair, [...(model.rows.get(pair) ?? []), route]);
  routeOf(model, pair).change(route, by);
}

/** Rows go with their deployment, wherever it was when they were written; older ones come into force again. */
export function removeDeployments(model: Model, ids: ReadonlySet<string>, by: Server): void {
  for (const id of ids) model.deployments.set(id, { ...model.deployments.get(id)!, alive: false });
  for (const [pair, rows] of model.rows) {
    const left = rows.filter(({ deploymentId }) => !ids.has(deploymentId));
    if (left.length === rows.length) continue;
    model.rows.set(pair, left);
    routeOf(model, pair).change(left.at(-1) ?? null, by);
  }
}

/** An environment goes with the deployments that are there now, and with every row of its pairs. */
export function removeEnvironment(model: Model, id: string, by: Server): void {
  model.environments.set(id, { ...model.environments.get(id)!, alive: false });
  removeDeployments(model, new Set(deploymentsIn(model, id)), by);
  for (const [pair, rows] of model.rows) {
    if (!pair.startsWith(id) || rows.length === 0) continue;
    model.rows.set(pair, []);
    routeOf(model, pair).change(null, by);
  }
}

export const deploymentsIn = ({ deployments }: Model, environmentId: string): string[] =>
  [...deployments.values()].filter((one) => one.alive && one.environmentId === environmentId).map(({ id }) => id);

/** What forbids a DELETE: a recorded execution that names it, or a deployment that would go with it. */
export function hasHistory({ executions }: Model, ids: ReadonlySet<string>): boolean {
  return executions.some(({ environmentId, deploymentId }) => ids.has(environmentId) || ids.has(deploymentId));
}
