import type { Suite } from 'mocha';

/**
 * Has `work` done before each file that a process runs one after the other by itself, ahead of the file's own hooks: mocha's hooks
 * around all tests are those of the process there, and of each file under --parallel alone.
 */
export function beforeEachFile({ suites }: Suite, work: () => Promise<void>): void {
  for (const [at, suite] of suites.entries()) {
    if (suite.file === suites[at - 1]?.file) continue;
    suite.beforeAll('before the file', work);
    const hooks = suite['_beforeAll'] as unknown[];
    hooks.unshift(hooks.pop());
  }
}
