import type { AnalyseAnswer, AnalyseTask, ModelWork } from '../../workers/models/index.js';
import { every } from '../clock/timers.js';
import { requireFinished } from '../decisions/programs/requireFinished.js';
import { Problem } from '../errors.js';

/**
 * Has a thread analyse a model, and ends that once its caller is gone.
 * @throws Problem for a limit that stopped it, and for a caller who went away
 */
export type Analyse = (task: Omit<AnalyseTask, 'kind' | 'stop'>, gone: () => boolean) => Promise<AnalyseAnswer>;

interface Dependencies {
  readonly models: ModelWork;
  /** Counts what was proved and not shown. */
  readonly unconfirmed: (count: number) => void;
}

/** How often it is asked whether the caller is still there, in milliseconds. */
const lookMs = 100;

export function createAnalyse({ models, unconfirmed }: Dependencies): Analyse {
  return async (task, gone) => {
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const look = (): void => {
      if (gone()) Atomics.store(stop, 0, 1);
    };
    look();
    const stopLooking = every(lookMs, look);
    try {
      const done = requireFinished(await models.work(task.workspaceId, { kind: 'analyse', ...task, stop }));
      unconfirmed(done.unconfirmed);
      if (Atomics.load(stop, 0) === 1)
        throw new Problem('overloaded', 'The caller went away before the analysis ended.');
      return done;
    } finally {
      stopLooking();
    }
  };
}
