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
const kindsOfActions: ReadonlyMap<string, readonly EventKind[]> = new Map(
  Object.entries({
    'version.create': ['version.saved'],
    'deployment.create': ['deployment.created'],
    'deployment.delete': ['deployment.deleted'],
    'change_request.create': ['change.requested'],
    'change_request.close': ['change.closed'],
    'change_request.apply': ['change.applied'],
    // Who listens for what comes into force hears of it, and so does who listens for what nobody approved.
    'change_request.override': ['change.applied', 'change.overridden'],
    'protection.create': ['protection.changed'],
    'protection.update': ['protection.changed'],
    'protection.delete': ['protection.changed'],
  }),
);

/** The same, by the states of a request before and after. */
const kindsOfMoves: ReadonlyMap<string, EventKind> = new Map(
  Object.entries({
    'OPEN APPROVED': 'change.approved',
    'APPROVED OPEN': 'change.reopened',
    'OPEN REJECTED': 'change.rejected',
    'APPROVED REJECTED': 'change.rejected',
  }),
);

/** What of a state an event tells: ids, keys and names. */
const eventFields = [
  ...['decisionId', 'version', 'environmentId', 'name', 'deployedBy', 'title', 'author', 'state'],
] as const;

/** The events that follow from audited writes. */
export const eventsOf = (entries: readonly Audited[]): NewEvent[] =>
  entries.flatMap((entry) => {
    const { workspaceId, actor, resource, before, after } = entry;
    const kinds = kindsOf(entry);
    if (kinds.length === 0 || workspaceId === null) return [];
    const state = (after ?? before ?? {}) as Readonly<Record<string, unknown>>;
    const data: Record<string, string | number> = { principal: actor.principal };
    if (resource.type === 'change_request') data['changeRequestId'] = resource.id;
    if (resource.type === 'deployment') data['deploymentId'] = resource.id;
    if (resource.type === 'protection') data['environmentId'] = resource.id;
    if (resource.key !== undefined) data['key'] = resource.key;
    for (const name of eventFields) {
      const value = state[name];
      if (typeof value === 'string' || typeof value === 'number') data[name] = value;
    }
    return kinds.map((kind) => ({ workspaceId, kind, data }));
  });

function kindsOf({ action, resource, before, after }: Audited): readonly EventKind[] {
  const byAction = kindsOfActions.get(action);
  if (byAction !== undefined || resource.type !== 'change_request') return byAction ?? [];
  const stateOf = (state: object | null): string => (state as { readonly state?: string } | null)?.state ?? '';
  const moved = kindsOfMoves.get(`${stateOf(before)} ${stateOf(after)}`);
  return moved === undefined ? [] : [moved];
}
