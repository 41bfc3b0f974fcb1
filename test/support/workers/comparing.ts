import { workerFile } from '../../../src/admission/pool/workerFile.js';
import type { BatchAnswer, ThreadMessage } from '../../../workers/protocol.js';
import type * as Engine from '../../../workers/run.js';

/** What the server's threads load: a thread that begins with all of its files takes ten times as long, and many die here. */
const { runAll: runEngine, prepare, ready } = (await import(workerFile.href)) as typeof Engine;
export { prepare, ready };

/**
 * The engine, in which a thread dies of a case whose fact has `dies`, and of one that has `diesOfMeasures` where measures are
 * asked: faults that the engine has no limit for.
 */
export function runAll(tasks: ThreadMessage): BatchAnswer | Promise<BatchAnswer> {
  for (const task of tasks) {
    if (!('kind' in task) || task.kind !== 'compare') continue;
    const { cases, settings } = task;
    const has = (name: string): boolean => cases.some(({ fact }) => fact?.includes(`"${name}"`) === true);
    if (has('dies') || (settings.measures.length > 0 && has('diesOfMeasures'))) process.exit(3);
  }
  return runEngine(tasks);
}
