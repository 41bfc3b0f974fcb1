import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { fetchedServers } from '../support/fetched.js';

const version = '5.2.0';
const folder = path.join(fetchedServers, `z3-${version}`);

interface Solver {
  readonly fromString: (script: string) => void;
  readonly check: () => Promise<'sat' | 'unsat' | 'unknown'>;
}

interface Z3 {
  readonly Context: new (name: string) => { readonly Solver: new () => Solver };
}

/** Z3 out of npm's registry, kept beside other servers that tests fetch: 35 MB that no other test needs. */
export async function openSolver(): Promise<(script: string) => Promise<string>> {
  if (!existsSync(path.join(folder, 'node_modules/z3-solver'))) {
    process.stderr.write(`Fetching z3-solver ${version} …\n`);
    const npm = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `z3-solver@${version}`];
    await promisify(execFile)('npm', npm);
  }
  const { init } = createRequire(path.join(folder, 'index.js'))('z3-solver') as { init: () => Promise<Z3> };
  const { Context } = await init();
  const { Solver } = new Context('judge');
  // Text is read before this returns, unlike that of the library's other way in, which loses it now and then.
  return async (script) => {
    const solver = new Solver();
    solver.fromString(script);
    return solver.check();
  };
}
