import { setTimeout as sleep } from 'node:timers/promises';

/** The clock of this process, standing still: `Date` and `performance.now()` show what the test says. Timers go on. */
export interface StoppedClock {
  /** Lets so many milliseconds be over at once. */
  pass(ms: number): Promise<void>;
  /** Sets the wall clock alone, as an operator or NTP does; negative: back. */
  step(ms: number): void;
  /** Gives the real time back; nothing where that was done before. */
  release(): void;
}

/**
 * Stops the clock, so that how long a test takes says nothing: for what this process promises by its own clock, a server
 * of `bootApp` included. Worker threads, other processes and MySQL have clocks of their own.
 */
export function stopClock(): StoppedClock {
  const real = Date;
  let epochMs = real.now();
  // Whole, so that what passes is exactly so much: with fractions, sums of doubles may differ in the last digit.
  let durationMs = Math.round(performance.now());
  const stopped = new Proxy(real, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [epochMs] : given, made) as object,
    get: (target, name) => (name === 'now' ? () => epochMs : (Reflect.get(target, name) as unknown)),
  });
  Object.assign(globalThis, { Date: stopped });
  Object.assign(performance, { now: () => durationMs });
  return {
    async pass(ms) {
      epochMs += ms;
      durationMs += ms;
      // What waits for a turn of the event loop goes on.
      await sleep(1);
    },
    step(ms) {
      epochMs += ms;
    },
    release() {
      if (Date !== stopped) return;
      Object.assign(globalThis, { Date: real });
      Reflect.deleteProperty(performance, 'now');
    },
  };
}

/** The clock of a `describe`, stopped before each of its tests and released after it. */
export function useStoppedClock(): StoppedClock {
  const clock = {} as StoppedClock;
  beforeEach(() => void Object.assign(clock, stopClock()));
  afterEach(() => clock.release());
  return clock;
}
