/** A decision in an environment, with a version of it. */
interface Target {
  readonly decisionId: string;
  readonly environmentId: string;
  readonly version: number;
}

type Routing = Target & { readonly deploymentId: string; readonly inForce: boolean };

/** A deployment with what it routes in place of what its record names, and whether that is in force. */
export type Routed<Deployment> = Deployment & {
  readonly inForce: boolean;
  /** What its record names, where PATCH has made it something else than what it routes. */
  readonly recorded: Target | null;
};

/**
 * Deployments as executions see them, newest first, for the command line and for pages: PATCH changes a deployment's record
 * and never what it routes.
 * @param routings read before the deployments, so that what is in force has its deployment beside it
 */
export function asRouted<Deployment extends Target & { readonly id: string }>(
  routings: readonly Routing[],
  deployments: readonly Deployment[],
): Routed<Deployment>[] {
  const byId = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  const routed: Routed<Deployment>[] = [];
  for (const { deploymentId, inForce, decisionId, environmentId, version } of routings) {
    const deployment = byId.get(deploymentId);
    if (deployment === undefined) continue;
    const target = { decisionId, environmentId, version };
    routed.unshift({ ...deployment, ...target, inForce, recorded: differing(deployment, target) });
  }
  return routed;
}

function differing({ decisionId, environmentId, version }: Target, routed: Target): Target | null {
  const isSame =
    decisionId === routed.decisionId && environmentId === routed.environmentId && version === routed.version;
  return isSame ? null : { decisionId, environmentId, version };
}

/** Orders deployments of one decision in one environment, newest first: what is in force is told by the database, not by ids. */
export const inForceFirst = (one: { readonly inForce: boolean }, other: { readonly inForce: boolean }): number =>
  Number(other.inForce) - Number(one.inForce);
