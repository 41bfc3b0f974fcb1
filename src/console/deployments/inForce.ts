import type { Decision, Deployment, Environment } from '../api/types.js';

/** Of each decision and environment all deployments, newest first: the first is in force. */
export type Deployed = ReadonlyMap<string, ReadonlyMap<string, readonly Deployment[]>>;

/** @param deployments oldest first, as the service lists them */
export function groupDeployments(deployments: readonly Deployment[]): Deployed {
  const decisions = new Map<string, Map<string, Deployment[]>>();
  for (const deployment of deployments) {
    const environments = decisions.get(deployment.decisionId) ?? new Map<string, Deployment[]>();
    decisions.set(deployment.decisionId, environments);
    const list = environments.get(deployment.environmentId) ?? [];
    environments.set(deployment.environmentId, list);
    list.unshift(deployment);
  }
  return decisions;
}

/** A cell of the grid: what a dialog is about. */
export interface Cell {
  readonly decision: Decision;
  readonly environment: Environment;
  /** Newest first; the first is in force. */
  readonly history: readonly Deployment[];
}
