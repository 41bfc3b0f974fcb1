import type { OwnOfTask, ThreadMessage, ThreadTask } from '../../../workers/protocol.js';
import type { QueuedRun, RunRequest } from './run.js';

/** The usual runs of a batch differ in their bodies, clocks and seeds alone; what they share then crosses once. */
export function messageOf(runs: readonly QueuedRun[], timeoutMs: number): ThreadMessage {
  const [first] = runs;
  if (runs.length > 1 && first !== undefined && isUsual(first.request)) {
    const { request: one } = first;
    const own: OwnOfTask[] = [];
    for (const { request } of runs) {
      if (!isUsual(request) || !isAlike(one, request)) break;
      const { body, clock, seed } = request;
      own.push({ body, clock, seed });
    }
    if (own.length === runs.length) return { one: { ...one, timeoutMs }, own };
  }
  return runs.map(({ request }) => taskOf(request, timeoutMs));
}

const isUsual = (request: QueuedRun['request']): request is RunRequest =>
  !('kind' in request) && (request.bundle ?? request.configuration ?? request.withoutHttp) === undefined;

/** All runs of a batch are of this workspace. */
const isAlike = (one: RunRequest, other: RunRequest): boolean =>
  one.programId === other.programId &&
  one.configurationId === other.configurationId &&
  one.traced === other.traced &&
  one.measured === other.measured;

/** Written out for the usual run, because a spread takes half a microsecond of its twenty. */
function taskOf(request: QueuedRun['request'], timeoutMs: number): ThreadTask {
  if (!isUsual(request) || request.measured !== undefined) return { ...request, timeoutMs };
  const { programId, workspaceId, configurationId, body, traced, clock, seed } = request;
  return { programId, workspaceId, configurationId, body, traced, clock, seed, timeoutMs };
}
