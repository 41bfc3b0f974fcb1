import fc from 'fast-check';
import { seed } from './environment.js';

// Loaded by mocha before the tests (.mocharc.json): properties without a seed of their own take that of the run.
fc.configureGlobal({ seed });
