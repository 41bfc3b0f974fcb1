const tickMs = 10;

/**
 * Milliseconds that this process has lived through itself: the processor time of all its threads, and waits as
 * its event loop saw them pass. What the machine gave to others, and a pause of all of it, counts for nothing. For what
 * happens in this process alone; a wait for another one would be as long as the machine makes it.
 * @returns to be called once: the time since
 */
export function ownTime(): () => number {
  const before = process.cpuUsage();
  let waited = 0;
  // However late it comes, it comes once.
  const ticks = setInterval(() => (waited += tickMs), tickMs).unref();
  return () => {
    clearInterval(ticks);
    const { user, system } = process.cpuUsage(before);
    return waited + (user + system) / 1000;
  };
}
