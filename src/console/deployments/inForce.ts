import { asRouted, inForceFirst, type Routed } from '../../deployments/asRouted.js';
import { permitted } from '../api/client.js';
import type { Operations } from '../api/operations.js';
import type { Decision, Deployment, Environment } from '../api/types.js';
import { useLoaded, type Loaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { byEnvironment, type Protections } from './protected.js';

/** A deployment as executions see it: by what it routes, which its record need not say. */
export type RoutedDeployment = Routed<Deployment>;

/** Of each decision and environment all deployments, newest first: the first is in force. */
export type Deployed = ReadonlyMap<string, ReadonlyMap<string, readonly RoutedDeployment[]>>;

export interface InForce {
  readonly decisions: readonly Decision[];
  readonly environments: readonly Environment[];
  readonly deployed: Deployed;
  readonly protections: Protections;
  /** Whose tokens made deployments, by their ids; who may not read the audit trail does not see it. */
  readonly principals: ReadonlyMap<string, string>;
  /** The token may not see what is in force where. */
  readonly isWithheld: boolean;
}

export const withheld =
  'What is deployed where is not shown: that needs the scopes environments:read and deployments:read. Ask the operator for them.';

/** The workspace's decisions, and which of their versions are in force where. */
export function useInForce(): Loaded<InForce> {
  const { api } = useSession();
  return useLoaded(
    async (signal) => {
      const newest = { resourceType: 'deployment', action: 'deployment.create', order: 'desc', size: maxEntries };
      const [decisions, environments, deployments, protections, entries] = await Promise.all([
        api.decisions(signal),
        permitted(api.all('GET /logic/environments', {}, signal), null),
        permitted(readRouted(api, signal), null),
        permitted(api.all('GET /logic/protections', {}, signal), []),
        permitted(api.ask('GET /logic/audit-entries', newest, signal), null),
      ]);
      return {
        decisions,
        environments: environments ?? [],
        deployed: groupDeployments(deployments ?? []),
        protections: byEnvironment(protections),
        principals: new Map(entries?.data.map(({ resource, principal }) => [resource.id, principal])),
        isWithheld: environments === null || deployments === null,
      };
    },
    [api],
  );
}

/** All deployments of the workspace by what they route, newest first. */
export async function readRouted(api: Operations, signal: AbortSignal): Promise<RoutedDeployment[]> {
  const routings = await api.all('GET /logic/routings', {}, signal);
  return asRouted(routings, await api.all('GET /logic/deployments', {}, signal));
}

function groupDeployments(deployments: readonly RoutedDeployment[]): Deployed {
  const decisions = new Map<string, Map<string, RoutedDeployment[]>>();
  for (const deployment of deployments) {
    const environments = decisions.get(deployment.decisionId) ?? new Map<string, RoutedDeployment[]>();
    decisions.set(deployment.decisionId, environments);
    const list = environments.get(deployment.environmentId) ?? [];
    environments.set(deployment.environmentId, list);
    list.push(deployment);
  }
  for (const environments of decisions.values()) for (const list of environments.values()) list.sort(inForceFirst);
  return decisions;
}

/** Entries of the audit trail that are looked through. */
const maxEntries = 1000;

/** A cell of the grid: what a dialog is about. */
export interface Cell {
  readonly decision: Decision;
  readonly environment: Environment;
  /** What is deployed there is asked for, and approved. */
  readonly isProtected: boolean;
  /** Newest first; the first is in force. */
  readonly history: readonly RoutedDeployment[];
  /** Whose tokens made them. */
  readonly principals: InForce['principals'];
}
