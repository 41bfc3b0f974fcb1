import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../db/services/errors.js';
import { projectRoot } from '../../db/root.js';
import { withTestServices } from '../support/testServices.js';
import { folder, optionsOf } from './options.js';
import { parts, type Part } from './parts.js';
import { percent, scoresOf, survivors, tableOf, type Report, type Score } from './score.js';

// What `make mutants` executes: services of its own, then Stryker on one part after another.
// Arguments: the sources to be mutated, or names of parts; without any, everything of every part.

/** What a part has to reach, in percent. */
const wanted = 85;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

let stryker: ChildProcess | undefined;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stryker?.kill(name));

try {
  process.exitCode = (await mutateAll(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function mutateAll(chosen: readonly string[]): Promise<boolean> {
  const known = new Set(parts.flatMap(({ name, sources }) => [name, ...sources]));
  const unknown = chosen.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`Of no part that is mutated: ${unknown.join(' ')}`);
  const reports: Report[] = [];
  for (const part of parts) {
    const all = chosen.length === 0 || chosen.includes(part.name);
    const sources = all ? part.sources : part.sources.filter((source) => chosen.includes(source));
    // Each on a database of its own: what a mutant left in it (a key that nobody can open) fails the tests of the next part.
    if (sources.length > 0)
      reports.push(await withTestServices(1, say, (own) => mutate(part, sources, own?.environments[0] ?? {})));
  }
  const scores: readonly Score[][] = reports.map(scoresOf);
  say(reports.flatMap(survivors).join('\n'));
  say(tableOf(scores.flat()));
  return scores.every((ofPart) => percent(ofPart) >= wanted);
}

async function mutate(part: Part, sources: readonly string[], environment: NodeJS.ProcessEnv): Promise<Report> {
  say(`\n${part.name}`);
  mkdirSync(join(projectRoot, folder), { recursive: true });
  const options = join(folder, `${part.name}.options.json`);
  writeFileSync(join(projectRoot, options), JSON.stringify(optionsOf(part, sources)));
  const child = spawn(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', options], {
    cwd: projectRoot,
    env: { ...process.env, ...environment },
    // In a session of its own, so that Ctrl-C comes once: from here.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  stryker = child;
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`Stryker ended with ${code ?? 'a signal'} on ${part.name}.`);
  return JSON.parse(readFileSync(join(projectRoot, folder, `${part.name}.json`), 'utf8')) as Report;
}
