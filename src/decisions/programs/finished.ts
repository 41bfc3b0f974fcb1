import type { RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';

/** The answer of work on a model. Throws `engine_timeout` or `engine_failure` where a limit stopped it. @param told before why */
export function finished<A extends object>(answer: A | RunStopped, told = ''): A {
  if (!isStopped(answer)) return answer;
  throw new Problem(answer.reason === 'timeout' ? 'engine_timeout' : 'engine_failure', told + answer.message);
}

const isStopped = (answer: object): answer is RunStopped => 'reason' in answer;
