import { Scheduler } from '../../src/admission/scheduler.js';

/** Has bulk work wait for nothing, since it is told of no live work. */
export const atOnce = new Scheduler({ maxWaitMs: 0 });
