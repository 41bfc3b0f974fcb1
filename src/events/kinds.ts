/** What a workspace's callback may hear of. */
export const eventKinds = [
  'version.saved',
  'deployment.created',
  'deployment.deleted',
  'change.requested',
  'change.approved',
  'change.rejected',
  'change.closed',
  'change.reopened',
  'change.applied',
  'change.overridden',
  'protection.changed',
  'replay.completed',
  'monitor.tripped',
  'monitor.cleared',
  'execution.failed',
  'erasure.completed',
  'evidence.finding',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Something that happened in a workspace. */
export interface NewEvent {
  readonly workspaceId: string;
  readonly kind: EventKind;
  /** Ids, keys and names; never facts. */
  readonly data: Readonly<Record<string, string | number | null>>;
}
