import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../db/root.js';
import { startServer } from '../support/process.js';
import { load } from './load.js';
import type { Watched } from './processes.js';
import type { Part } from './report.js';
import { facts, ownTargets } from './targets.js';

/** Where a server's microseconds go, per request, while it answers one kind of request on 32 connections. */
export interface Profile {
  readonly target: string;
  /** Less than without the profiler. */
  readonly perSecond: number;
  /** Of the main thread, and of all worker threads together: self time by group, the most first. Idle time is not in it. */
  readonly threads: Readonly<Record<'main' | 'worker', readonly (readonly [group: string, us: number])[]>>;
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

const connections = 32;
const warmSeconds = 2;
const shownGroups = 14;

/** Profiles our own targets one by one, each with a fresh server; small facts. */
export async function profileAll(
  settings: Readonly<Record<string, string>>,
  watched: readonly Watched[],
  seconds: number,
): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (const target of ['execution', 'evaluation (traced)']) {
    const folder = mkdtempSync(join(tmpdir(), 'verdict-profile-'));
    try {
      const server = await startServer(settings, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
      const sent = (await ownTargets(server, watched)).get(target)?.(facts.small);
      if (sent === undefined) throw new Error(`no target ${target}`);
      await load(sent, { connections, seconds: warmSeconds });
      const fromUs = nowUs();
      const { perSecond } = await load(sent, { connections, seconds });
      const stretch = { fromUs, toUs: nowUs() };
      await server.stop();
      const answered = (perSecond * (stretch.toUs - fromUs)) / 1e6;
      profiles.push({ target, perSecond, threads: threadsOf(folder, stretch, answered) });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return profiles;
}

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

interface Stretch {
  readonly fromUs: number;
  readonly toUs: number;
}

function threadsOf(folder: string, stretch: Stretch, answered: number): Profile['threads'] {
  const times = { main: new Map<string, number>(), worker: new Map<string, number>() };
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'))) {
    // CPU.<date>.<time>.<pid>.<thread>.<sequence>.cpuprofile; the main thread is 0.
    const groups = times[name.split('.')[4] === '0' ? 'main' : 'worker'];
    addSelfTimes(groups, JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile, stretch);
  }
  const sorted = (groups: ReadonlyMap<string, number>): [string, number][] =>
    [...groups].map(([group, us]): [string, number] => [group, us / answered]).sort(([, a], [, b]) => b - a);
  return { main: sorted(times.main), worker: sorted(times.worker) };
}

function addSelfTimes(groups: Map<string, number>, profile: CpuProfile, { fromUs, toUs }: Stretch): void {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, groupOf(callFrame)]));
  let at = profile.startTime;
  profile.samples.forEach((id, index) => {
    at += profile.timeDeltas[index] ?? 0;
    const group = names.get(id) ?? '(idle)';
    // A sample's time is what passes until the next one.
    if (group !== '(idle)' && at >= fromUs && at < toUs)
      groups.set(group, (groups.get(group) ?? 0) + (profile.timeDeltas[index + 1] ?? 0));
  });
}

/** A package, a module of ours (`src/http/body`), a part of Node, a native function, or what V8 names in parentheses. */
function groupOf(frame: CallFrame): string {
  const path = sourceOf(frame);
  if (path === '') return frame.functionName.startsWith('(') ? frame.functionName : `native ${frame.functionName}`;
  const named =
    /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? /^node:(?:internal\/)?[^/]+/.exec(path)?.[0];
  if (named !== undefined) return named;
  if (!path.startsWith(projectRoot)) return '(compiled models)';
  return path
    .slice(projectRoot.length)
    .replace(/^\/?(dist\/)?/, '')
    .replace(/\.[jt]s$/, '');
}

const bundles = ['dist/workers/thread/', 'dist/server/'].map((folder) => join(projectRoot, folder));
const maps = new Map<string, SourceMap>();

/** The file of a function; of one in a bundle (src/build.ts) that of its source. */
function sourceOf({ url, lineNumber, columnNumber }: CallFrame): string {
  const path = url.replace(/^file:\/\//, '');
  if (!bundles.some((folder) => path.startsWith(folder))) return path;
  const map = maps.get(path) ?? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMapPayload);
  maps.set(path, map);
  const entry = map.findEntry(lineNumber, columnNumber);
  return 'originalSource' in entry ? fileURLToPath(new URL(entry.originalSource, url)) : path;
}

/** The heaviest groups of each thread. */
export function profileParts({ target, perSecond, threads }: Profile): Part[] {
  const tables = Object.entries(threads).map(([name, groups]) => {
    const sum = (some: typeof groups): number => some.reduce((total, [, us]) => total + us, 0);
    const rest = ['the rest', sum(groups.slice(shownGroups))] as const;
    const rows = [...groups.slice(0, shownGroups), rest, ['all', sum(groups)] as const];
    const share = (us: number): string => `${((100 * us) / sum(groups)).toFixed(0)} %`;
    return {
      headings: [`${name} thread${name === 'worker' ? 's' : ''}`, 'us a request', 'share'],
      rows: rows.map(([group, us]) => [group, us.toFixed(1), share(us)]),
    };
  });
  return [
    `\n${target}, small fact, ${connections} connections, ${perSecond.toFixed(0)}/s while profiled; sampled by the clock, so ` +
      'that what waits for a processor counts too',
    ...tables,
  ];
}
