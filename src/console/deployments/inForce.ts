import { permitted } from '../api/client.js';
import type { Decision, Deployment, Environment } from '../api/types.js';
import { useLoaded, type Loaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { byEnvironment, type Protections } from './protected.js';

/** Of each decision and environment all deployments, newest first: the first is in force. */
export type Deployed = ReadonlyMap<string, ReadonlyMap<string, readonly Deployment[]>>;

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
        permitted(api.all('GET /logic/deployments', {}, signal), null),
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

/** @param deployments oldest first, as the service lists them */
function groupDeployments(deployments: readonly Deployment[]): Deployed {
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

/** Entries of the audit trail that are looked through. */
const maxEntries = 1000;

/** A cell of the grid: what a dialog is about. */
export interface Cell {
  readonly decision: Decision;
  readonly environment: Environment;
  /** What is deployed there is asked for, and approved. */
  readonly isProtected: boolean;
  /** Newest first; the first is in force. */
  readonly history: readonly Deployment[];
  /** Whose tokens made them. */
  readonly principals: InForce['principals'];
}
