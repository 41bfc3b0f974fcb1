import fc from 'fast-check';
import { cases, seed } from './environment.js';

// Loaded by mocha before the tests (.mocharc.json): properties take the run's seed, and those that say nothing of it take
// fast-check's usual hundred cases.
fc.configureGlobal({ seed, numRuns: cases(100) });
