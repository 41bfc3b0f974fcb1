import { setTimeout as sleep } from 'node:timers/promises';

/** A hang is a failing test that says what it waited for; how soon something comes is not judged here. */
const withinMs = 120_000;

/** Real time also while the test has stopped the clock. */
const now = performance.now.bind(performance);

type Nothing = undefined | null | false;

/** Waits until `ready` gives something. */
export async function eventually<T>(ready: () => T | Nothing | Promise<T | Nothing>): Promise<T> {
  const deadline = now() + withinMs;
  for (;;) {
    const value = await ready();
    if (value !== undefined && value !== null && value !== false) return value;
    if (now() > deadline) throw new Error(`not within ${withinMs} ms: ${ready.toString()}`);
    await sleep(10);
  }
}
