import { every } from '../clock/timers.js';
/** What is used of a mysql2 connection. `_command` is undocumented: the command under way. */
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

/** Destroys connections whose server is silent, so that no statement waits for one longer than the limit. */
interface ConnectionWatchdog {
  add(connection: WatchedConnection): void;
  /** The connection was taken from the pool, for a statement or a transaction. */
  acquired(connection: WatchedConnection): void;
  released(connection: WatchedConnection): void;
}

const looksPerLimit = 8;

/**
 * A plain read waits for no row lock, so half the limit is enough. Other statements may wait for a lock, which is no
 * hang.
 */
const plainRead = /^\s*select\b(?!.*\b(for update|for share|lock in share mode)\b)/is;

/**
 * mysql2's own query timeout leaves the hung connection open, with the statement under way; here it is destroyed, which
 * fails the statement as a lost connection. Idle connections of the pool are destroyed too: a network that swallowed
 * one has likely swallowed all, and each would cost a request the limit again. A connection that a transaction holds
 * between two statements is left alone, as its server owes it no answer.
 * @param limitMs longest silence during a statement; one whose rows are arriving may take longer
 */
export function createConnectionWatchdog(limitMs: number): ConnectionWatchdog {
  // Counted in ticks, not milliseconds: after this process was suspended, answers that arrived meanwhile are read only
  // after the next tick.
  const seenAt = new Map<WatchedConnection, { command: Command; bytesRead: number; looks: number }>();
  const held = new Set<WatchedConnection>();
  let stopLooking: (() => void) | undefined;

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
      // Knex removes all listeners from a connection that it gives up, but a frozen server does not close its side: an
      // error of the stream later would be unhandled and end the process.
      connection.stream.prependListener('error', () => connection.on('error', () => undefined));
      connection.stream.once('close', () => {
        seenAt.delete(connection);
        held.delete(connection);
        if (seenAt.size > 0) return;
        stopLooking?.();
        stopLooking = undefined;
      });
      stopLooking ??= every(limitMs / looksPerLimit, look);
    },
  };
}

type Command = WatchedConnection['_command'];

const isBusy = ({ _command }: WatchedConnection): boolean => _command !== null && _command !== undefined;
