/**
 * What test files of one process share: it is started before the first file that wants it, and ended before the first one
 * that does not. Imports nothing of the server, so that a test of one function starts quickly.
 */

/** Whether files share anything: mocha's serial mode loads all files before the first one runs, so that all would want it. */
export const isSharing = process.env['MOCHA_WORKER_ID'] !== undefined;

export interface Shared<T> {
  /** To be called while a file is loaded: in a `describe`, not in a hook or a test. */
  want(): void;
  /** Throws where the file did not say that it wants it. */
  get(): Promise<T>;
}

interface Kept {
  /** Before the next file: ends it where that does not want it. True where it goes on. */
  leave(): Promise<boolean>;
  /** For the next file, where that wants it. True where it does. */
  enter(): Promise<boolean>;
  end(): Promise<void>;
}

const all: Kept[] = [];

export function share<T>(start: () => Promise<T>, stop: (running: T) => Promise<unknown>): Shared<T> {
  let isWanted = false;
  let running: Promise<T> | undefined;
  const end = async (): Promise<void> => {
    const ended = running;
    running = undefined;
    if (ended !== undefined) await stop(await ended);
  };
  all.push({
    async leave() {
      if (!isWanted) await end();
      return running !== undefined;
    },
    async enter() {
      const enters = isWanted;
      isWanted = false;
      if (enters) await (running ??= start());
      return enters;
    },
    end,
  });
  return {
    want: () => void (isWanted = true),
    get() {
      if (running === undefined) throw new Error('what is shared is to be wanted in a describe');
      return running;
    },
  };
}

/**
 * Before the first test of each file: starts what it wants and ends what it does not. True where something is kept.
 * @param alone called in between where nothing goes on from the file before
 */
export async function keepShared(alone: () => Promise<void>): Promise<boolean> {
  let goesOn = false;
  for (const each of all) goesOn = (await each.leave()) || goesOn;
  if (!goesOn) await alone();
  let keeps = false;
  // One after the other: a browser is started beside a server that is there.
  for (const each of all) keeps = (await each.enter()) || keeps;
  return keeps;
}

/** After all tests of a process that runs one file after the other by itself. */
export async function endShared(): Promise<void> {
  await Promise.all(all.map((each) => each.end()));
}
