import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../../db/root.js';
import { table } from '../../../src/cli/table.js';
import { startServer } from '../../support/process.js';
import type { Watched } from '../processes.js';
import { load } from './load.js';
import { facts, ownTargets } from './targets.js';

/** Where a server's microseconds go, per request, while it answers one kind of request on 32 connections. */
export interface Profile {
  readonly target: string;
  /** Less than without the profiler. */
  readonly perSecond: number;
  readonly threads: readonly Thread[];
}

interface Thread {
  /** `main`, or `worker`: all worker threads together. */
  readonly name: string;
  /** Most first; of the JavaScript stacks, what runs below them included. Idle time is not in it. */
  readonly groups: readonly Share[];
  readonly functions: readonly Share[];
}

interface Share {
  readonly name: string;
  readonly us: number;
}

/** The parts of V8's .cpuprofile that are read here. Times are microseconds of the machine's monotonic clock. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** A stretch of load, on the profiles' clock, and the requests answered in it. */
interface Stretch {
  readonly fromUs: number;
  readonly toUs: number;
  readonly answered: number;
}

const connections = 32;
const warmSeconds = 2;
const shownGroups = 14;
const keptFunctions = 40;

/** Profiles our own targets one by one, each with a fresh server; small facts. */
export async function profileAll(
  settings: Readonly<Record<string, string>>,
  watched: readonly Watched[],
  seconds: number,
): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (const target of ['execution', 'evaluation (traced)']) {
    profiles.push(await profileOne(target, settings, watched, seconds));
  }
  return profiles;
}

async function profileOne(
  target: string,
  settings: Readonly<Record<string, string>>,
  watched: readonly Watched[],
  seconds: number,
): Promise<Profile> {
  const folder = mkdtempSync(join(tmpdir(), 'verdict-profile-'));
  try {
    const server = await startServer(settings, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
    const sent = (await ownTargets(server, watched)).get(target)?.(facts.small);
    if (sent === undefined) throw new Error(`no target ${target}`);
    await load(sent, connections, warmSeconds);
    const fromUs = nowUs();
    const { perSecond } = await load(sent, connections, seconds);
    const stretch = { fromUs, toUs: nowUs(), answered: perSecond * seconds };
    await server.stop();
    return { target, perSecond, threads: threadsOf(folder, stretch) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

function threadsOf(folder: string, stretch: Stretch): Thread[] {
  // CPU.<date>.<time>.<pid>.<thread>.<sequence>.cpuprofile; the main thread is 0.
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  const main = files.filter((name) => name.split('.')[4] === '0');
  const workers = files.filter((name) => !main.includes(name));
  return [
    threadOf(
      'main',
      main.map((name) => join(folder, name)),
      stretch,
    ),
    threadOf(
      'worker',
      workers.map((name) => join(folder, name)),
      stretch,
    ),
  ].filter(({ groups }) => groups.length > 0);
}

function threadOf(name: string, paths: readonly string[], stretch: Stretch): Thread {
  const groups = new Map<string, number>();
  const functions = new Map<string, number>();
  for (const path of paths) {
    const profile = JSON.parse(readFileSync(path, 'utf8')) as CpuProfile;
    for (const [frame, us] of selfTimes(profile, stretch)) {
      const { path, line } = placeOf(frame);
      const group = groupOf(frame, path);
      if (group === '(idle)') continue;
      add(groups, group, us / stretch.answered);
      add(functions, `${frame.functionName || '(anonymous)'} ${group}:${line}`, us / stretch.answered);
    }
  }
  return { name, groups: shares(groups), functions: shares(functions).slice(0, keptFunctions) };
}

/** Self time by frame, of the samples within the stretch. */
function selfTimes(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  { fromUs, toUs }: Stretch,
): Map<CallFrame, number> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<CallFrame, number>();
  let at = startTime;
  samples.forEach((id, index) => {
    at += timeDeltas[index] ?? 0;
    const frame = frames.get(id);
    // A sample's time is what passes until the next one.
    if (frame !== undefined && at >= fromUs && at < toUs) add(times, frame, timeDeltas[index + 1] ?? 0);
  });
  return times;
}

const bundles = ['dist/workers/thread/', 'dist/server/'].map((folder) => join(projectRoot, folder));
const maps = new Map<string, SourceMap>();

/** Where a function stands; that of a bundle (src/build.ts) in its source. */
function placeOf({ url, lineNumber, columnNumber }: CallFrame): { readonly path: string; readonly line: number } {
  const path = url.replace(/^file:\/\//, '');
  const here = { path, line: lineNumber + 1 };
  if (!bundles.some((folder) => path.startsWith(folder))) return here;
  const map = maps.get(path) ?? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMapPayload);
  maps.set(path, map);
  const entry = map.findEntry(lineNumber, columnNumber);
  if (!('originalSource' in entry)) return here;
  return { path: fileURLToPath(new URL(entry.originalSource, url)), line: entry.originalLine + 1 };
}

/** A package, a module of ours (`src/http/body`), a part of Node, a native function, or what V8 names in parentheses. */
function groupOf({ functionName }: CallFrame, path: string): string {
  if (path === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`;
  const named =
    /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? /^node:(?:internal\/)?[^/]+/.exec(path)?.[0];
  if (named !== undefined) return named;
  if (!path.startsWith(projectRoot)) return '(compiled models)';
  return path
    .slice(projectRoot.length)
    .replace(/^\/?(dist\/)?/, '')
    .replace(/\.[jt]s$/, '');
}

function add<K>(times: Map<K, number>, key: K, us: number): void {
  times.set(key, (times.get(key) ?? 0) + us);
}

const shares = (times: ReadonlyMap<string, number>): Share[] =>
  [...times].map(([name, us]) => ({ name, us: Number(us.toFixed(2)) })).sort((a, b) => b.us - a.us);

/** The heaviest groups of each thread, for a terminal. */
export function profileText({ target, perSecond, threads }: Profile): string {
  const parts = threads.map(({ name, groups }) => {
    const total = groups.reduce((sum, { us }) => sum + us, 0);
    const rest = groups.slice(shownGroups).reduce((sum, { us }) => sum + us, 0);
    const rows = [...groups.slice(0, shownGroups), { name: 'the rest', us: rest }, { name: 'all', us: total }];
    const lines = rows.map((row) => [row.name, row.us.toFixed(1), `${((100 * row.us) / total).toFixed(0)} %`]);
    return table([`${name} thread${name === 'worker' ? 's' : ''}`, 'us a request', 'share'], lines);
  });
  return [
    `${target}, small fact, ${connections} connections, ${perSecond.toFixed(0)}/s while profiled`,
    ...parts,
    'Sampled by the clock: what waits for a processor counts too. Functions are in the JSON.',
  ].join('\n');
}
