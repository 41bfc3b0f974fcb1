import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition, for as long as the test may take: what never holds fails by mocha's time limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(2);
}
