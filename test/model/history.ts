/** Which of the two server processes. */
export type Server = 0 | 1;

/** How long another process may go on with what a change replaced, counted from the change's answer (hardening.md). */
export const promisedMs = 1000;

interface State<T> {
  readonly value: T;
  /** Milliseconds of `performance.now()` at which the change was answered. */
  readonly answered: number;
  /** The process that answered it; undefined for what is written without the API. */
  readonly by: Server | undefined;
}

/** A value that requests change, and which of its states a process may still go by. */
export interface History<T> {
  readonly current: T;
  change(value: T, by?: Server): void;
  /** What a request to `server` that is sent now may see: the present state, and those that nothing binding replaced. */
  visible(server: Server): T[];
}

export function createHistory<T>(first: T): History<T> {
  const states: State<T>[] = [{ value: first, answered: -Infinity, by: undefined }];
  const newest = (): State<T> => states[states.length - 1]!;
  return {
    get current() {
      return newest().value;
    },
    change(value, by) {
      states.push({ value, answered: performance.now(), by });
    },
    visible(server) {
      const now = performance.now();
      const binds = ({ by, answered }: State<T>): boolean => by === server || now - answered >= promisedMs;
      const last = states.findLastIndex(binds);
      return states.slice(Math.max(0, last)).map(({ value }) => value);
    },
  };
}
