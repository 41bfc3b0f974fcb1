import { setTimeout as sleep } from 'node:timers/promises';

/** A hang is a failing test that says what it waited for; how soon something comes is not judged here. */
const withinMs = 120_000;

/** What a page was asked to show, it draws within milliseconds: a test that is to fail need not wait for a hang. */
const drawnWithinMs = 20_000;

/** A look often costs a request: the longer something takes, the less often it is looked for, which it is seen a twentieth later by. */
const pauseMs = (waitedMs: number): number => Math.min(100, Math.max(10, waitedMs / 20));

/** Real time also while the test has stopped the clock. */
const now = performance.now.bind(performance);

type Nothing = undefined | null | false;

/** Waits until `ready` gives something. */
export async function eventually<T>(ready: () => T | Nothing | Promise<T | Nothing>): Promise<T> {
  const began = now();
  for (;;) {
    const value = await ready();
    if (value !== undefined && value !== null && value !== false) return value;
    const waitedMs = now() - began;
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${ready.toString()}`);
    await sleep(pauseMs(waitedMs));
  }
}

/**
 * Waits until an assertion about a page holds. A page draws after what was done to it, so that what is read at once may be
 * what was there before. Fails as the assertion did when it was made last.
 */
export async function soon(assertion: () => Promise<unknown>): Promise<void> {
  const began = now();
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      const waitedMs = now() - began;
      if (waitedMs > drawnWithinMs) throw error;
      await sleep(pauseMs(waitedMs));
    }
  }
}
