import { getEnvironmentData } from 'node:worker_threads';

/** As `faults.ts`, but dies before it is ready while the test has set `stillborn` by `setEnvironmentData`. */
if (getEnvironmentData('stillborn') === true) throw new Error('stillborn');

export { ready, runAll } from './faults.js';
