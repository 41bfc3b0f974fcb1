import { createRequire } from 'node:module';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { SolverStart } from './solver.js';

// The solver's thread: a script in, what it prints out. All scripts go on with one context, as a new one costs most of an answer.

type Address = number;

/** What is used of the library: its way of waiting for an answer loses one now and then, so that nothing here waits. */
interface Z3 {
  readonly Z3: {
    readonly mk_config: () => Address;
    readonly del_config: (config: Address) => void;
    readonly mk_context: (config: Address) => Address;
  };
  readonly em: {
    readonly ccall: (name: string, returns: 'string', kinds: readonly string[], given: readonly unknown[]) => string;
  };
}

const { folder, facts } = workerData as SolverStart;
const { init } = createRequire(path.join(folder, 'index.js'))('z3-solver') as { init: () => Promise<Z3> };
const { Z3, em } = await init();
const config = Z3.mk_config();
const context = Z3.mk_context(config);
Z3.del_config(config);
const printed = (script: string): string =>
  em.ccall('Z3_eval_smtlib2_string', 'string', ['number', 'string'], [context, script]).trim();

const complaint = printed(facts);
if (complaint !== '') throw new Error(complaint);
parentPort?.on('message', (script: string) => parentPort?.postMessage(printed(script)));
