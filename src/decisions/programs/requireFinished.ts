import type { RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';

/**
 * The answer of work on a model. Throws `engine_timeout` or `engine_failure` where a limit stopped the work.
 * @param prefix what the problem says before the reason
 */
export function requireFinished<A extends object>(answer: A | RunStopped, prefix = ''): A {
  if (!isStopped(answer)) return answer;
  throw new Problem(answer.reason === 'timeout' ? 'engine_timeout' : 'engine_failure', prefix + answer.message);
}

/** The same of work on a file that somebody sent, who knows of no run. */
export function requireReadInTime<A extends object>(answer: A | RunStopped): A {
  if (isStopped(answer) && answer.reason === 'timeout')
    throw new Problem('engine_timeout', 'The file could not be read in time.');
  return requireFinished(answer);
}

const isStopped = (answer: object): answer is RunStopped => 'reason' in answer;
