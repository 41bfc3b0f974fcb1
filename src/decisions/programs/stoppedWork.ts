import type { RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';

/** What a caller is told of work on a model that a limit stopped. */
export const stoppedWork = ({ reason, message }: Pick<RunStopped, 'reason' | 'message'>): Problem =>
  new Problem(reason === 'timeout' ? 'engine_timeout' : 'engine_failure', message);
