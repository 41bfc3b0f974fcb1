import type { EventKind, NewEvent } from '../events/kinds.js';

/** An audited write, as far as events tell of it. */
interface Audited {
  readonly actor: { readonly principal: string };
  readonly workspaceId: string | null;
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string; readonly key?: string };
  readonly before: object | null;
  readonly after: object | null;
}

/** The events that a workspace's callback gets, by the action of the audit entry. */
const kinds: Readonly<Record<string, EventKind>> = {
  'version.create': 'version.saved',
  'deployment.create': 'deployment.created',
  'deployment.delete': 'deployment.deleted',
  'change_request.create': 'change.requested',
  'change_request.apply': 'change.applied',
  'change_request.override': 'change.applied',
};

/** What of a state an event tells: ids, keys and names. */
const eventFields = [
  ...['decisionId', 'version', 'environmentId', 'name', 'deployedBy', 'title', 'author', 'state'],
] as const;

/** The events that follow from audited writes. */
export const eventsOf = (entries: readonly Audited[]): NewEvent[] =>
  entries.flatMap((entry) => {
    const { workspaceId, actor, resource, before, after } = entry;
    const kind = kindOf(entry);
    if (kind === undefined || workspaceId === null) return [];
    const state = (after ?? before ?? {}) as Readonly<Record<string, unknown>>;
    const data: Record<string, string | number> = { principal: actor.principal };
    if (resource.type === 'change_request') data['changeRequestId'] = resource.id;
    if (resource.type === 'deployment') data['deploymentId'] = resource.id;
    if (resource.key !== undefined) data['key'] = resource.key;
    for (const name of eventFields) {
      const value = state[name];
      if (typeof value === 'string' || typeof value === 'number') data[name] = value;
    }
    return [{ workspaceId, kind, data }];
  });

/** A request is approved by the review that gave it that state. */
function kindOf({ action, before, after }: Audited): EventKind | undefined {
  const stateOf = (state: object | null): unknown => (state as { readonly state?: unknown } | null)?.state;
  const isApproval = action === 'change_request.approve';
  if (isApproval && stateOf(before) === 'OPEN' && stateOf(after) === 'APPROVED') return 'change.approved';
  return kinds[action];
}
