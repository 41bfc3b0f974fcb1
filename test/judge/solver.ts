import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { fetchedServers } from '../support/fetched.js';

const version = '5.2.0';
const folder = path.join(fetchedServers, `z3-${version}`);

type Address = number;

/** What is used of the library: its way of waiting for an answer loses one now and then, so that nothing here waits. */
interface Z3 {
  readonly Z3: {
    readonly mk_config: () => Address;
    readonly del_config: (config: Address) => void;
    readonly mk_context: (config: Address) => Address;
    readonly del_context: (context: Address) => void;
  };
  readonly em: {
    readonly ccall: (name: string, returns: 'string', kinds: readonly string[], given: readonly unknown[]) => string;
  };
}

/**
 * Z3 out of npm's registry, kept beside other servers that tests fetch: 35 MB that no other test needs.
 * @returns runs a script, and gives what it prints
 */
export async function openSolver(): Promise<(script: string) => string> {
  if (!existsSync(path.join(folder, 'node_modules/z3-solver'))) {
    process.stderr.write(`Fetching z3-solver ${version} …\n`);
    const npm = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `z3-solver@${version}`];
    await promisify(execFile)('npm', npm);
  }
  const { init } = createRequire(path.join(folder, 'index.js'))('z3-solver') as { init: () => Promise<Z3> };
  const { Z3, em } = await init();
  return (script) => {
    const config = Z3.mk_config();
    const context = Z3.mk_context(config);
    Z3.del_config(config);
    const printed = em.ccall('Z3_eval_smtlib2_string', 'string', ['number', 'string'], [context, script]);
    Z3.del_context(context);
    return printed.trim();
  };
}
