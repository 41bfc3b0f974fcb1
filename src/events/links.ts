import type { EventKind, NewEvent } from './kinds.js';

type Data = NewEvent['data'];

type Subject = EventKind extends infer Kind ? (Kind extends `${infer Name}.${string}` ? Name : never) : never;

/** Where the console shows what an event tells of (`/requests/…`), by the first word of its kind. */
const pageOf: Readonly<Record<Subject, (data: Data) => string>> = {
  version: ({ decisionId }) => `/decisions/${decisionId}`,
  deployment: () => '/deployments',
  change: ({ changeRequestId }) => `/requests/${changeRequestId}`,
  protection: ({ environmentId }) => `/environments/${environmentId}`,
  replay: ({ replayId }) => `/replays/${replayId}`,
  monitor: ({ decisionId }) => `/decisions/${decisionId}`,
  execution: ({ executionId }) => `/executions/${executionId}`,
  erasure: () => '/audit',
  evidence: () => '/audit',
};

/** The event's data with `link`, so that who gets it is one click from what it tells of. */
export const linkedData = (consoleUrl: string, kind: EventKind, data: Data): Data => ({
  ...data,
  link: `${consoleUrl}${pageOf[kind.split('.')[0] as Subject](data)}?workspace=${data['workspaceId']}`,
});
