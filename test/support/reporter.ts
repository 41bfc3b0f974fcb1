import mocha from 'mocha';
import { inSources } from './sourceLines.js';

/** What came of a run of tests; `failed` counts hooks that failed too. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The last line of `make test`, e.g. `12 passed, 0 failed, 1 skipped`. */
export function summary({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Mocha's `spec` with lines of sources in its stacks, and with the summary as its last line. Under `make test` the totals go to the parent instead, which prints
 * them after everything else has ended.
 */
class SummaryReporter extends mocha.reporters.Spec {
  override epilogue(): void {
    for (const { err } of this.failures) if (err?.stack !== undefined) err.stack = inSources(err.stack);
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const totals: Totals = { passed: passes, failed: failures, skipped: pending };
    if (process.send === undefined) process.stdout.write(`${summary(totals)}\n`);
    else process.send(totals);
  }
}

// Mocha requires a reporter: this name is what `require` then gives of an ES module (Node's documentation, "Loading
// ECMAScript modules using require()").
export { SummaryReporter as 'module.exports' };
