import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ProcessMark } from '../../src/cli/processMark.js';

/** What the watchdog is told, one JSON document per line. */
export type WatchdogOrder =
  | { readonly kind: 'process'; readonly mark: ProcessMark; readonly graceMs: number }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] }
  | { readonly kind: 'done' };

/** A small process that ends the services in order should this one die without doing so (kill -9, a crash). */
export interface Watchdog {
  /** Ends that process when this one dies; the last named goes first. */
  watch(mark: ProcessMark, graceMs: number): void;
  /** Removes that folder afterwards. */
  removeFolder(path: string): void;
  /** Runs that command, e.g. to stop containers. */
  run(command: readonly [string, ...string[]]): void;
  /** All was ended in order: there is nothing left to do. */
  dismiss(): void;
}

/** Starts the watchdog. It notices this process's death by the end of its standard input. */
export function startWatchdog(): Watchdog {
  const program = fileURLToPath(new URL('./watchdog-main.js', import.meta.url));
  const child = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
  child.on('error', () => undefined);
  const input = child.stdin;
  // Gone early: then there is simply no watchdog.
  input.on('error', () => undefined);
  letParentExit(child);
  const order = (message: WatchdogOrder): void => {
    input.write(`${JSON.stringify(message)}\n`);
  };
  return {
    watch: (mark, graceMs) => order({ kind: 'process', mark, graceMs }),
    removeFolder: (path) => order({ kind: 'folder', path }),
    run: (command) => order({ kind: 'command', command }),
    dismiss() {
      order({ kind: 'done' });
      input.end();
    },
  };
}

function letParentExit(child: ChildProcess): void {
  child.unref();
  // The pipe keeps the event loop alive too.
  if (child.stdin instanceof Socket) child.stdin.unref();
}
