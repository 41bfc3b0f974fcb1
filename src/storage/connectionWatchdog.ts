/** What is used of a mysql2 connection here. `_command` is the one under way, as knex reads the like to tell dead ones. */
export interface WatchedConnection {
  readonly _command?: { readonly sql?: string } | null;
  readonly stream: {
    readonly bytesRead: number;
    destroy(error: Error): void;
    once(event: 'close', listener: () => void): void;
    prependListener(event: 'error', listener: () => void): void;
  };
  on(event: 'error', listener: () => void): void;
}

/** Ends connections whose server says nothing, so that nobody waits for a silent one longer than the limit. */
export interface ConnectionWatchdog {
  add(connection: WatchedConnection): void;
  /** Somebody has it, for a statement or a transaction. */
  acquired(connection: WatchedConnection): void;
  released(connection: WatchedConnection): void;
}

const looksPerLimit = 8;

/** Waits for no row's lock, so half the limit does. Anything else may, and a wait for a lock is no hang. */
const plainRead = /^\s*select\b(?!.*\b(for update|for share|lock in share mode)\b)/is;

/**
 * mysql2's own query timeout leaves the hung connection open, with the statement under way; here it is destroyed, which
 * fails the statement as a lost connection. Those that nobody has are destroyed too, since a network that swallowed one has
 * likely swallowed all, and each would cost a request the limit again. One that a transaction has between two statements
 * is left alone: the server may well have said all that it was asked for.
 * @param limitMs longest silence to a statement; one whose rows are coming in may take longer
 */
export function createConnectionWatchdog(limitMs: number): ConnectionWatchdog {
  // Looks, not milliseconds: when this process stood still, what the others answered meanwhile is read after the next look.
  const seenAt = new Map<WatchedConnection, { command: Command; bytesRead: number; looks: number }>();
  const held = new Set<WatchedConnection>();
  let clock: NodeJS.Timeout | undefined;

  const destroy = (connection: WatchedConnection): void => {
    const error = new Error('the database did not answer in time');
    connection.stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  };

  const maxLooks = (command: Command): number =>
    plainRead.test(command?.sql ?? '') ? looksPerLimit / 2 : looksPerLimit;

  const look = (): void => {
    let hung = false;
    for (const [connection, seen] of seenAt) {
      const { bytesRead } = connection.stream;
      if (connection._command !== seen.command || bytesRead !== seen.bytesRead) {
        seen.command = connection._command;
        seen.bytesRead = bytesRead;
        seen.looks = 0;
      } else if (isBusy(connection) && ++seen.looks >= maxLooks(seen.command)) {
        hung = true;
        destroy(connection);
      }
    }
    if (hung)
      for (const connection of seenAt.keys()) if (!held.has(connection) && !isBusy(connection)) destroy(connection);
  };

  return {
    acquired: (connection) => void held.add(connection),
    released: (connection) => void held.delete(connection),
    add(connection) {
      seenAt.set(connection, { command: undefined, bytesRead: 0, looks: 0 });
      // Knex takes all listeners from a connection that it gives up, but a server that is frozen does not close its side:
      // whatever ends the stream later would be an error event that nobody hears, and that ends the process.
      connection.stream.prependListener('error', () => connection.on('error', () => undefined));
      connection.stream.once('close', () => {
        seenAt.delete(connection);
        held.delete(connection);
        if (seenAt.size > 0) return;
        clearInterval(clock);
        clock = undefined;
      });
      clock ??= setInterval(look, limitMs / looksPerLimit).unref();
    },
  };
}

type Command = WatchedConnection['_command'];

const isBusy = ({ _command }: WatchedConnection): boolean => _command !== null && _command !== undefined;
