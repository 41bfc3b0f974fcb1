import type { RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';

export function requireFinished<A extends object>(answer: A | RunStopped, prefix = ''): A {
  if (!isStopped(answer)) return answer;
  throw new Problem(answer.reason === 'timeout' ? 'engine_timeout' : 'engine_failure', prefix + answer.message);
}

const isStopped = (answer: object): answer is RunStopped => 'reason' in answer;
