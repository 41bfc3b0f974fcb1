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
  /** Between looks for jobs that nothing announced. */
  jobsPoll: 1000,
  /** Between writes of what shadows counted. */
  shadowsPoll: 1000,
  /** For how long a shadow rests, the first time, that has cost as many threads as it may. */
  shadowRest: 60_000,
  /** Between writes of the measures' counts, which a crash may lose. */
  measuresPoll: 2000,
  /** Between two looks at a monitor. */
  monitorEvery: 10_000,
  /** Between two looks at who approved a change request. */
  approvalEvery: 10_000,
  /** Between two looks for the old executions of an environment. */
  retentionEvery: 3_600_000,
  /** Between looks for days of executions that are to be made or removed. */
  daysPoll: 600_000,
  /** Age of an execution of which everything counted has been written: several times the longest pause of a writer. */
  countedAfter: 12_000,
  /** Between two checks of a workspace's evidence: twice a day. */
  evidenceCheckEvery: 43_200_000,
  /** Between looks for records without a leaf, the longest rest between two pieces of that work, and between two heads. */
  evidencePoll: 1000,
  evidenceRest: 4000,
  evidenceSend: 5000,
};

/** Data may be so old however fast a test runs: MySQL has to answer within that. */
const leastAge = 450;

/** A look costs queries whether something is due or not: at 200 ms they took a twelfth of a processor of each server, at 500 a sixteenth. */
const leastPoll = 1000;

/** What is not made shorter than this, however fast a test runs. */
const leastOf = (name: string): number => (name.endsWith('Age') ? leastAge : name.endsWith('Poll') ? leastPoll : 0);

/** How long MySQL is waited for. Tests of everything else wait longer (TEST_PATIENCE), since their machine may be slow. */
const limits = {
  /** A row that another transaction holds. */
  lock: 3000,
  /** Longer than that, so that only a silent server is taken for lost. */
  statement: 4000,
  /** The same of the recorder, which waits for a row lock for `recorderLock` at most. */
  recorderStatement: 2000,
  recorderLock: 1000,
  /** Age of an execution that is answered 503 where it could not be recorded by then. */
  recorderGiveUp: 3000,
};

export type Pace = Readonly<typeof usual & typeof limits> & {
  /** What is waited for as long as a request may take is divided by it: tests let requests take longer than they ever do. */
  readonly haste: number;
};

/**
 * @param speed how many times as fast as a service is meant to be; 1 outside of tests
 * @param patience how many times as long it waits for MySQL; 1 outside of tests
 */
export function paceAt(speed: number, patience = 1): Pace {
  const fast = Object.entries(usual).map(([name, ms]) => [name, Math.max(ms / speed, Math.min(ms, leastOf(name)))]);
  const patient = Object.entries(limits).map(([name, ms]) => [name, ms * patience]);
  return Object.fromEntries([...fast, ...patient, ['haste', speed * patience]]) as Pace;
}

/** Throws where TEST_PACE or TEST_PATIENCE is no positive number. */
export function readPace(environment: Readonly<Record<string, string | undefined>>): Pace {
  const [speed = 1, patience = 1] = ['TEST_PACE', 'TEST_PATIENCE'].map((name) => {
    const times = Number(environment[name] ?? 1);
    if (!(times > 0)) throw new Error(`${name} must be a positive number`);
    return times;
  });
  return paceAt(speed, patience);
}
