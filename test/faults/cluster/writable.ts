import { readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { connectMysql } from '../../../db/services/urls.js';
import { stateOf, type ClusterKind } from './states.js';

// Runs beside a node, as on its machine. HAProxy asks it whether the node is the one to write to: 200 or 503. It ends a
// node whose disk is full: one that waits for space holds up the others, and stays their primary. And it has a node of
// MySQL that could not join its group at its start try again, which MySQL itself does not.

/** What it is told as JSON in its argument. */
export interface WritableOptions {
  readonly kind: ClusterKind;
  readonly url: string;
  readonly port: number;
  /** The node's data. */
  readonly dir: string;
  readonly pidFile: string;
}

/** A node that has less than this part of its disk left is not to run. */
const leastFree = 0.05;

export function hasRoom(dir: string): boolean {
  const { bavail, blocks } = statfsSync(dir);
  return bavail / blocks >= leastFree;
}

const answerWithinMs = 1000;
const joinEveryMs = 5000;

async function joinAgain(url: string): Promise<void> {
  const connection = await connectMysql(url);
  try {
    const [rows] = await connection.query('SELECT member_state FROM performance_schema.replication_group_members');
    const [{ member_state: state = 'OFFLINE' } = {}] = rows as { readonly member_state?: string }[];
    if (state === 'OFFLINE') await connection.query('START GROUP_REPLICATION');
  } finally {
    connection.destroy();
  }
}

function main({ kind, url, port, dir, pidFile }: WritableOptions): void {
  let asking: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    const connection = await connectMysql(url);
    try {
      return (await stateOf(kind, connection)).isWritable;
    } finally {
      connection.destroy();
    }
  };
  // One question at a time: a node that does not answer must not get one more each second.
  const isWritable = (): Promise<boolean> => {
    asking ??= ask()
      .catch(() => false)
      .finally(() => (asking = undefined));
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, answerWithinMs, false));
    return Promise.race([asking, late]);
  };
  createServer((_, response) => {
    void isWritable().then((yes) => response.writeHead(yes ? 200 : 503).end());
  }).listen(port);
  const joinLater = (): void =>
    void setTimeout(
      () =>
        void joinAgain(url)
          .catch(() => undefined)
          .finally(joinLater),
      joinEveryMs,
    );
  if (kind === 'mysql') joinLater();
  setInterval(() => {
    if (hasRoom(dir)) return;
    try {
      process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    } catch {
      // It does not run.
    }
  }, 500);
}

if (process.argv[1] === import.meta.filename) main(JSON.parse(process.argv[2] ?? '{}') as WritableOptions);
