import type { ServerProcess } from '../support/process.js';
import { buildScene } from '../support/scene.js';
import { startAttacker, type Attacker } from './attacker.js';
import type { FloodKind } from './attacks.js';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { deployDecision, targetOf } from './decision.js';
import { load, together, totals, type Measured } from './load.js';
import { median, ratioOf } from './numbers.js';
import { residentBytes, serverProcesses } from './processes.js';
import type { Report, Wanted } from './report.js';

// `make bench-flood`: what some workspaces do to another one's executions, and to the memory of the server: endless loops
// and heap bombs of one, what takes memory of three, and answers of 10 MB that nobody reads. SECONDS=5 a measurement,
// ROUNDS=3 of each in turns, CONNECTIONS=8 good ones, FLOOD=18 bad ones, PROCESSES=1, KIND=threads, memory or differences
// for one of them. `make bench-import` is KIND=imports: one connection of another workspace imports 64 MiB at a time. Each
// flood is measured at another server of this machine too: what that costs is the machine's and MySQL's part.

const seconds = setting('SECONDS', 5);
const rounds = setting('ROUNDS', 3);
const connections = setting('CONNECTIONS', 8);
const flooders = setting('FLOOD', 18);
const processes = setting('PROCESSES', 1);
const mebibyte = 1024 * 1024;
const watchMs = 50;
/** The limit of the main thread's heap: six times what requests may hold (MAX_BYTES_IN_FLIGHT, 256 MiB). */
const heapMb = 6 * 256;
/**
 * What a server process may have in RAM: itself, with the young part of its main heap and two threads with theirs; and three
 * times what requests may hold, which is theirs, copied for a moment, and not collected yet.
 */
const maxResidentBytes = processes * (670 + 3 * 256) * mebibyte;

/** The p99 of a neighbour is to be within so many times its undisturbed one, or that beside the flood at another server. */
const wantedTimes = { alone: 3, control: 1.5 };

const kinds: Readonly<Record<FloodKind, { readonly tenants: number; readonly flooders: number }>> = {
  threads: { tenants: 1, flooders },
  memory: { tenants: 3, flooders },
  differences: { tenants: 1, flooders: 1 },
  imports: { tenants: 1, flooders: 1 },
};
const chosen = (process.env.KIND ? [process.env.KIND] : ['threads', 'memory', 'differences']) as FloodKind[];

/** What one flood did, and the same one at another server. */
interface Flooded {
  readonly kind: FloodKind;
  readonly attacker: Attacker;
  readonly elsewhere: Attacker;
  answers: Record<string, number>;
  maxResident: number;
}

async function run(bed: Bed): Promise<Report> {
  const settings = { LOG_LEVEL: 'silent', HTTP_PROCESSES: String(processes) };
  const nodeOptions = [`--max-old-space-size=${heapMb}`];
  const server = await bed.server(settings, nodeOptions);
  const other = await bed.server(settings, nodeOptions);
  const good = targetOf(server, await deployDecision(await buildScene(server)));
  const alone = (): Promise<Measured> => load(good, { connections, seconds });
  const floods: Flooded[] = [];
  for (const kind of chosen) {
    const { tenants, flooders: bad } = kinds[kind];
    const at = ({ baseUrl }: ServerProcess): Promise<Attacker> =>
      startAttacker({ kind, tenants, baseUrl, connections: bad });
    const flood = { kind, attacker: await at(server), elsewhere: await at(other), answers: {}, maxResident: 0 };
    bed.ends(() => flood.attacker.end());
    bed.ends(() => flood.elsewhere.end());
    floods.push(flood);
  }
  await alone();
  const all: Record<string, () => Promise<Measured>> = { alone };
  for (const flood of floods) {
    all[flood.kind] = () => beside(flood, server, alone);
    all[controlOf(flood.kind)] = async () => {
      flood.elsewhere.begin();
      const measured = await alone();
      await flood.elsewhere.pause();
      return measured;
    };
  }
  return reportOf(floods, await inTurns(rounds, all));
}

const controlOf = (kind: FloodKind): string => `${kind} at another server`;

async function beside(flood: Flooded, { pid }: ServerProcess, send: () => Promise<Measured>): Promise<Measured> {
  const watch = setInterval(() => {
    const all = serverProcesses(pid).filter(({ name }) => name !== 'primary');
    const bytes = all.reduce((sum, each) => sum + residentBytes(each.pid), 0);
    flood.maxResident = Math.max(flood.maxResident, bytes);
  }, watchMs);
  flood.attacker.begin();
  const measured = await send();
  flood.answers = totals([flood.answers, await flood.attacker.pause()]);
  clearInterval(watch);
  return measured;
}

type Found = Readonly<Record<string, readonly Measured[]>>;

function reportOf(floods: readonly Flooded[], found: Found): Report {
  const p99s = (name: string): number[] => found[name]?.map(({ p99Ms }) => p99Ms) ?? [];
  const rows = Object.entries(found).map(([name, measured]) => {
    const { perSecond, p50Ms, p99Ms } = together(measured);
    const each = p99s(name).map((ms) => ms.toFixed(1));
    return [name, perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), each.join(' ')];
  });
  return {
    parts: [
      `${connections} good connections, ${rounds} rounds of ${seconds} s in turns:`,
      { headings: ['good executions beside', 'per s', 'p50 ms', 'p99 ms', 'p99 of rounds'], rows },
      ...floods.map(({ kind, answers }) => `The flood of ${kind} got ${listed(answers)}.`),
    ],
    wanted: floods.flatMap((flood) => judged(flood, found, p99s)),
    found: { connections, seconds, rounds, processes, ...found },
  };
}

function judged({ kind, maxResident }: Flooded, found: Found, p99s: (name: string) => number[]): Wanted[] {
  const times = median(p99s(kind)) / median(p99s('alone'));
  const toControl = ratioOf(p99s(kind), p99s(controlOf(kind)));
  const { errors, others } = together([...(found.alone ?? []), ...(found[kind] ?? [])]);
  const megabytes = (bytes: number): string => (bytes / mebibyte).toFixed(0);
  return [
    {
      text:
        `p99 beside ${kind}: ${times.toFixed(2)} times the one alone, ${toControl.toFixed(2)} times the one beside the same ` +
        `flood at another server; at most ${wantedTimes.alone}, or ${wantedTimes.control}, is wanted`,
      met: times <= wantedTimes.alone || toControl <= wantedTimes.control,
    },
    {
      text: `Good requests beside ${kind} that failed or were refused: ${errors} ${listed(others)}`,
      met: errors === 0,
    },
    {
      text: `Resident at most ${megabytes(maxResident)} MB; at most ${megabytes(maxResidentBytes)} is wanted`,
      met: maxResident <= maxResidentBytes,
    },
  ];
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([label, count]) => `${count} × ${label}`)
    .join(', ');
}

await measure('flood', run);
