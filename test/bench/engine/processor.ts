/** Calls between two looks at the time. */
const atOnce = 8;

/**
 * Microseconds of processor time that a call takes, the mean of as many as take so long, after half as many to warm up. What
 * else the machine does at the time makes no difference, as it would to time by the clock.
 */
export function processorUs(call: (turn: number) => unknown, milliseconds: number): number {
  let each = NaN;
  for (const part of [milliseconds / 2, milliseconds]) {
    const began = process.cpuUsage();
    let turns = 0;
    let used = 0;
    while (used < part * 1000) {
      for (let at = 0; at < atOnce; at++) call(turns++);
      const { user, system } = process.cpuUsage(began);
      used = user + system;
    }
    each = used / turns;
  }
  return each;
}
