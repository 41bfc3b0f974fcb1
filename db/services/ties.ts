import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { ProcessMark } from '../../src/cli/processMark.js';

/** What is to end, and to be cleared away, once this process is gone without having done so (kill -9, a crash). */
export interface Ties {
  /** Ends that process when this one dies; the last named goes first. */
  watch(mark: ProcessMark, graceMs: number): void;
  /** Removes that folder afterwards. */
  removeFolder(path: string): void;
  /** Runs that command, e.g. to stop containers. */
  run(command: readonly [string, ...string[]]): void;
  /** All was ended in order: there is nothing left to do. May be called twice. */
  dismiss(): void;
}

/** Asks, waits for so many tenths of a second, and forces; a stopped process acts on the request once it continues. */
const endProcess = `
  [ "$(born $1)" = "$was" ] || exit
  kill -TERM $1; kill -CONT $1
  left=$2
  while [ $left -gt 0 ] && kill -0 $1; do sleep 0.1; left=$((left - 1)); done
  kill -KILL $1`;

/** A later process may have the number: `ps`, or Linux itself, tells them apart by their births. */
const noteBirth = `
  born() { ps -o lstart= -p $1 || cut -d ' ' -f 22 /proc/$1/stat; }
  was=$(born $1)`;

/**
 * Each tie is a shell that reads from a pipe, whose other end this process holds: the system closes it, however this process
 * dies. A shell also holds the pipes of those that were made before it, so that they wait until it is done. A line on the pipe
 * says that there is nothing to do. Signals that are meant for this process do not end a shell.
 */
export function startTies(): Ties {
  const pipes: Socket[] = [];
  const add = (before: string, work: string, args: readonly string[]): void => {
    const script = `trap '' HUP INT TERM; ${before}\nread -r line && exit\n${work}`;
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', ...pipes],
      cwd: '/',
    });
    letParentExit(child);
    if (child.stdin instanceof Socket) pipes.push(child.stdin);
  };
  return {
    watch: (mark, graceMs) => add(noteBirth, endProcess, [String(mark.pid), String(Math.ceil(graceMs / 100))]),
    removeFolder: (path) => add('', 'rm -rf -- "$1"', [path]),
    run: (command) => add('', '"$@"', command),
    dismiss: () => pipes.splice(0).forEach((pipe) => pipe.end('\n')),
  };
}

function letParentExit(child: ChildProcess): void {
  // Without a shell nothing is tied; one that has ended reads no line.
  for (const emitter of [child, child.stdin]) emitter?.on('error', () => undefined);
  child.unref();
  // The pipe keeps the event loop alive too.
  if (child.stdin instanceof Socket) child.stdin.unref();
}
