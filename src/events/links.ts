import type { EventKind, NewEvent } from './kinds.js';

type Data = NewEvent['data'];

/** Where the console shows what an event tells of: `/requests/…`. */
const pageOf: Readonly<Record<EventKind, (data: Data) => string>> = {
  'version.saved': ({ decisionId }) => `/decisions/${decisionId}`,
  'deployment.created': () => '/deployments',
  'deployment.deleted': () => '/deployments',
  'change.requested': ({ changeRequestId }) => `/requests/${changeRequestId}`,
  'change.approved': ({ changeRequestId }) => `/requests/${changeRequestId}`,
  'change.rejected': ({ changeRequestId }) => `/requests/${changeRequestId}`,
  'change.closed': ({ changeRequestId }) => `/requests/${changeRequestId}`,
  'change.reopened': ({ changeRequestId }) => `/requests/${changeRequestId}`,
  'change.applied': ({ changeRequestId }) => `/requests/${changeRequestId}`,
  'change.overridden': ({ changeRequestId }) => `/requests/${changeRequestId}`,
  'protection.changed': ({ environmentId }) => `/environments/${environmentId}`,
  'replay.completed': ({ replayId }) => `/replays/${replayId}`,
  'monitor.tripped': ({ decisionId }) => `/decisions/${decisionId}`,
  'monitor.cleared': ({ decisionId }) => `/decisions/${decisionId}`,
  'execution.failed': ({ executionId }) => `/executions/${executionId}`,
  'erasure.completed': () => '/audit',
  'evidence.finding': () => '/audit',
};

/** The event's data with `link`, so that who gets it is one click from what it tells of. */
export const linkedData = (consoleUrl: string, kind: EventKind, data: Data): Data => ({
  ...data,
  link: `${consoleUrl}${pageOf[kind](data)}?workspace=${data['workspaceId']}`,
});
