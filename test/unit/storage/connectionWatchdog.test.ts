import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createConnectionWatchdog, type WatchedConnection } from '../../../src/storage/connectionWatchdog.js';

const limitMs = 160;

/** A connection with a statement under way, as far as the watch looks at it. */
function busyConnection(): WatchedConnection & {
  readonly stream: { bytesRead: number };
  readonly ended: () => boolean;
} {
  let ended = false;
  const stream = Object.assign(new EventEmitter(), { bytesRead: 0, destroy: () => void (ended = true) });
  return Object.assign(new EventEmitter(), { _command: { sql: 'SELECT 1' }, stream, ended: () => ended });
}

function standStill(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('the watch over connections', () => {
  it('ends one that does not answer', async () => {
    const connection = busyConnection();
    createConnectionWatchdog(limitMs).add(connection);
    while (!connection.ended()) await sleep(5);
    connection.stream.destroy(new Error());
  });

  it('does not take a standstill of its own process for silence: answers that had come were thrown away', async () => {
    const connection = busyConnection();
    createConnectionWatchdog(limitMs).add(connection);
    // So that it has been seen at its statement.
    await sleep(limitMs / 8);
    standStill(2 * limitMs);
    // Timers that are due come before what the network brought.
    await sleep(1);
    expect(connection.ended()).to.equal(false);
  });

  it('ended reads whose rows were coming in: a long answer over a slow link was thrown away', async () => {
    const busy = busyConnection();
    const idle = Object.assign(busyConnection(), { _command: null });
    let looks = 0;
    // Something has come in whenever somebody looks.
    Object.defineProperty(busy.stream, 'bytesRead', { configurable: true, get: () => looks++ });
    const watch = createConnectionWatchdog(limitMs);
    watch.add(busy);
    watch.add(idle);
    while (looks < 40) {
      await sleep(5);
      expect([busy.ended(), idle.ended()]).to.deep.equal([false, false]);
    }
    // From now on nothing comes any more.
    Object.defineProperty(busy.stream, 'bytesRead', { value: looks });
    while (!busy.ended()) await sleep(5);
  });
});
