/**
 * How often the work of the background looks for what is due, and how old data of another process may be, in
 * milliseconds. The specification's promises about time rest on these, so no operator sets them; tests run all of them
 * faster (TEST_PACE), and so need not wait for what they are not about.
 */
const usual = {
  /** Greatest age of a routing, a configuration or a working copy: another process's change takes effect within a second. */
  routingAge: 900,
  /** Greatest age of clients, grants and policies: what is withdrawn is refused within 5 s, with the time of a request. */
  accessAge: 4000,
  /** Between looks for programs that other processes deployed. */
  preparationPoll: 1000,
  /** Between looks for messages that nothing announced: those of other processes, and those due again. */
  outboxPoll: 1000,
  /** Between looks for replays and checks of other processes, and between writes of what shadows counted. */
  replayPoll: 1000,
  /** Between writes of the measures' counts, which a crash may lose. */
  measuresPoll: 2000,
  /** Between looks for monitors that are due, and between two looks at one of them. */
  monitorsPoll: 1000,
  monitorEvery: 10_000,
  /** Between looks for environments with old executions, and between two looks at one of them. */
  retentionPoll: 1000,
  retentionEvery: 3_600_000,
  /** Between looks for days of executions that are to be made or removed. */
  daysPoll: 600_000,
  /** Between looks for erasures. */
  erasuresPoll: 1000,
  /** Age of an execution of which everything counted has been written: several times the longest pause of a writer. */
  countedAfter: 12_000,
  /** Between looks for records without a leaf. */
  evidencePoll: 1000,
};

export type Pace = Readonly<typeof usual>;

/** @param speed how many times as fast as a service is meant to be; 1 outside of tests */
export function paceAt(speed: number): Pace {
  return Object.fromEntries(Object.entries(usual).map(([name, ms]) => [name, ms / speed])) as Pace;
}

/** Throws where TEST_PACE is no positive number. */
export function readPace(environment: Readonly<Record<string, string | undefined>>): Pace {
  const speed = Number(environment['TEST_PACE'] ?? 1);
  if (!(speed > 0)) throw new Error('TEST_PACE must be a positive number');
  return paceAt(speed);
}
