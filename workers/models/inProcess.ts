import { createSandbox } from '../engine/index.js';
import { createConfigurations } from '../configurations.js';
import { createPrograms } from '../programs.js';
import type { RunLimits, RunStopped } from '../protocol.js';
import type { ModelAnswers, ModelTask } from './tasks.js';
import { workOn } from './work.js';

/** Has work on models done: by a pool of threads, or in process. */
export interface ModelWork {
  /** Answers the task, or says by what limit it was stopped. A pool rejects with `overloaded` where it did nothing. */
  work<K extends ModelTask['kind']>(
    workspaceId: string,
    task: Extract<ModelTask, { kind: K }>,
  ): Promise<ModelAnswers[K] | RunStopped>;
}

const heapBytes = 512 * 1024 * 1024;
/** Milliseconds of one task; nothing here could end one that takes longer. */
const timeoutMs = 5000;

/** Does the work in this process: for commands without a server, on their user's own models. */
export function createModelWork({ engine: limits, functions }: RunLimits): ModelWork {
  const sandbox = createSandbox(functions);
  const programs = createPrograms(heapBytes, { limits, sandbox });
  const configurations = createConfigurations(heapBytes / 20);
  return {
    async work<K extends ModelTask['kind']>(_workspaceId: string, task: Extract<ModelTask, { kind: K }>) {
      const { answer } = await workOn(task, timeoutMs, { limits, programs, configurations, sandbox });
      // The answer is that of the task's kind.
      return answer as ModelAnswers[K];
    },
  };
}
