import { openProgress } from '../../../src/cli/progress.js';
import { table } from '../../../src/cli/table.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { buildScene } from '../../support/scene.js';
import { openBed } from '../bed.js';
import { deployDecision } from '../decision.js';
import { residentBytes, serverProcesses } from '../processes.js';
import { median } from '../quantile.js';
import { resultFile } from '../results.js';
import { load, type Loaded } from '../tune/generator.js';
import { startAttacker, type Attacker } from './attacker.js';

// `make bench-flood`: what some workspaces do to another one's executions, and to the memory of the server: endless loops
// and heap bombs of one, and what takes memory of three. SECONDS=5 a measurement, ROUNDS=3 of each in turns, CONNECTIONS=8
// good ones, FLOOD=18 bad ones, PROCESSES=1, KIND=threads or memory for one of the two. `make bench-import` is KIND=imports:
// one connection of another workspace imports 64 MiB at a time. Each flood is measured at another server of this machine too: what
// that costs is the machine's and MySQL's part.

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const seconds = number('SECONDS', 5);
const rounds = number('ROUNDS', 3);
const connections = number('CONNECTIONS', 8);
const flooders = number('FLOOD', 18);
const processes = number('PROCESSES', 1);
const mebibyte = 1024 * 1024;
/**
 * What a server process may have in RAM: itself, with the young part of its main heap and two threads with theirs; and three
 * times what requests may hold (MAX_BYTES_IN_FLIGHT), which is theirs, copied for a moment, and not collected yet.
 */
const maxResidentBytes = processes * (670 + 3 * 256) * mebibyte;

/** What is measured, and how many times the p99 alone is wanted beside it at most. */
const kinds = [
  { kind: 'threads', wantedFactor: 3, tenants: 1, flooders },
  { kind: 'memory', wantedFactor: 1.5, tenants: 3, flooders },
  { kind: 'imports', wantedFactor: 1.5, tenants: 1, flooders: 1 },
] as const;
const chosen = kinds.filter(({ kind }) => (process.env.KIND ? process.env.KIND === kind : kind !== 'imports'));

const bed = await openBed('flood');
const servers: ServerProcess[] = [];
try {
  const settings = { LOG_LEVEL: 'silent', HTTP_PROCESSES: String(processes) };
  const server = await startServer(settings);
  servers.push(server);
  const other = await startServer(settings);
  servers.push(other);
  await measureAll(server, other.baseUrl);
} finally {
  for (const server of servers) await server.stop();
  await bed.stop();
}

interface Flooded {
  readonly kind: string;
  readonly wantedFactor: number;
  readonly measured: Loaded[];
  /** Beside the same flood at another server. */
  readonly control: Loaded[];
  answers: Record<string, number>;
  maxResident: number;
}

async function measureAll({ baseUrl, pid }: ServerProcess, otherUrl: string): Promise<void> {
  const good = { baseUrl, ...(await deployDecision(await buildScene({ baseUrl }))) };
  const attackers = new Map<string, Attacker>();
  const elsewhere = new Map<string, Attacker>();
  for (const { kind, tenants, flooders: connections } of chosen) {
    attackers.set(kind, await startAttacker({ kind, tenants, baseUrl, connections }));
    elsewhere.set(kind, await startAttacker({ kind, tenants, baseUrl: otherUrl, connections }));
  }
  const options = { connections, seconds, targetMs: Infinity };
  await load(good, options);

  const quiet: Loaded[] = [];
  const flooded = chosen.map(({ kind, wantedFactor }): Flooded => ({
    kind,
    wantedFactor,
    measured: [],
    control: [],
    answers: {},
    maxResident: 0,
  }));
  const bar = openProgress(process.stderr, 'Measuring', rounds * (1 + 2 * chosen.length));
  for (let round = 0; round < rounds; round++) {
    quiet.push(await load(good, options));
    bar.advance();
    for (const one of flooded) {
      const watch = setInterval(() => {
        const all = serverProcesses(pid).filter(({ name }) => name !== 'primary');
        one.maxResident = Math.max(
          one.maxResident,
          all.reduce((sum, each) => sum + residentBytes(each.pid), 0),
        );
      }, 50);
      const attacker = attackers.get(one.kind);
      attacker?.begin();
      one.measured.push(await load(good, options));
      one.answers = totals([one.answers, (await attacker?.pause()) ?? {}]);
      clearInterval(watch);
      bar.advance();
      elsewhere.get(one.kind)?.begin();
      one.control.push(await load(good, options));
      await elsewhere.get(one.kind)?.pause();
      bar.advance();
    }
  }
  bar.end();
  for (const attacker of [...attackers.values(), ...elsewhere.values()]) attacker.end();
  show(quiet, flooded);
}

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([label, count]) => `${count} × ${label}`)
    .join(', ');

function totals(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all)
    for (const [label, count] of Object.entries(counts)) sums[label] = (sums[label] ?? 0) + count;
  return sums;
}

function failuresOf(all: readonly Loaded[]): number {
  return all.reduce((sum, each) => sum + each.failed + Math.round(each.refusedPerSecond * seconds), 0);
}

function show(quiet: readonly Loaded[], flooded: readonly Flooded[]): void {
  const of = (all: readonly Loaded[], name: 'perSecond' | 'p50Ms' | 'p99Ms'): number =>
    median(all.map((each) => each[name]));
  const row = (name: string, all: readonly Loaded[]): unknown[] => [
    name,
    of(all, 'perSecond').toFixed(0),
    of(all, 'p50Ms').toFixed(1),
    of(all, 'p99Ms').toFixed(1),
    all.map(({ p99Ms }) => p99Ms.toFixed(1)).join(' '),
  ];
  const judged = flooded.map((one) => {
    const factor = of(one.measured, 'p99Ms') / of(quiet, 'p99Ms');
    const controlFactor = of(one.control, 'p99Ms') / of(quiet, 'p99Ms');
    const failed = failuresOf([...quiet, ...one.measured]);
    const good = factor <= one.wantedFactor && failed === 0 && one.maxResident <= maxResidentBytes;
    const others = totals([...quiet, ...one.measured].map((each) => each.others));
    return { ...one, factor, controlFactor, failed, others, good };
  });
  const megabytes = (bytes: number): string => (bytes / mebibyte).toFixed(0);
  const lines = [
    `${connections} good connections, ${chosen.map((one) => one.flooders).join(' or ')} bad ones, ${rounds} rounds of ${seconds} s in turns:`,
    table(
      ['good executions', 'per s', 'p50 ms', 'p99 ms', 'p99 of rounds'],
      [
        row('alone', quiet),
        ...flooded.flatMap(({ kind, measured, control }) => [
          row(`beside ${kind}`, measured),
          row(`beside ${kind} at another server`, control),
        ]),
      ],
    ),
    ...judged.flatMap(({ kind, failed, others, maxResident, answers, good }) => [
      `Beside ${kind}:`,
      `  Good requests that failed or were refused: ${failed}; none is wanted. ${listed(others)}`,
      `  Resident at most ${megabytes(maxResident)} MB; at most ${megabytes(maxResidentBytes)} is wanted.`,
      `  The flood got: ${listed(answers)}.`,
      good ? '  All is met.' : '  NOT met.',
    ]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const found = { node: process.version, connections, flooders, seconds, processes, quiet, judged };
  process.stdout.write(`Saved as ${resultFile('flood')('json', `${JSON.stringify(found, null, 2)}\n`)}\n`);
  for (const { kind, factor, controlFactor, wantedFactor } of judged) {
    process.stdout.write(
      `p99 beside ${kind} is ${factor.toFixed(2)} times the one alone; at most ${wantedFactor} is wanted. ` +
        `With the flood at another server it is ${controlFactor.toFixed(2)} times.\n`,
    );
  }
  if (judged.some(({ good }) => !good)) process.exitCode = 1;
}
