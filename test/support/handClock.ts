import { setTimeout as sleep } from 'node:timers/promises';

/** A clock that stands still until a test moves it. */
export class HandClock {
  ms = 0;
  readonly now = (): number => this.ms;

  /** Lets time pass, a little at each look of the event loop, until `over` is settled; gives what it came to. */
  async passUntil<T>(over: Promise<T>): Promise<T> {
    const state = { settled: false };
    const settle = (): void => void (state.settled = true);
    over.then(settle, settle);
    for (; !state.settled; this.ms += 5) await sleep(1);
    return over;
  }
}
