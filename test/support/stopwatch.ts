const tickMs = 10;
/** A later tick than this is the machine's doing: it stood still, or gave its processors to others. */
const latestMs = 25;

/** For how long something kept this process waiting, without the time in which the machine did not let it run. */
export interface Stopwatch {
  /** Milliseconds since the start. */
  stop(): number;
}

export function startStopwatch(): Stopwatch {
  let countedMs = 0;
  let last = performance.now();
  const count = (): void => {
    const now = performance.now();
    countedMs += Math.min(now - last, latestMs);
    last = now;
  };
  const timer = setInterval(count, tickMs);
  return {
    stop() {
      count();
      clearInterval(timer);
      return countedMs;
    },
  };
}
