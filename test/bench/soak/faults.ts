import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../../db/migrate.js';
import type { ServerProcess } from '../../support/process.js';
import { startService, type Service } from '../../support/service.js';
import { useServices } from '../bed.js';
import { serverProcesses, type Watched } from '../processes.js';
import type { Random } from './random.js';
import type { Weather } from './weather.js';

/** A MySQL and a Redis that can be hurt. */
export interface Victims {
  readonly mysql: Service;
  readonly redis: Service;
  /** By their pids of now; a restarted one has another. */
  watched(): readonly Watched[];
  end(): Promise<void>;
}

/** Starts both, migrates, and has servers and stores use them from here on. */
export async function startVictims(): Promise<Victims> {
  const [mysql, redis] = await Promise.all([startService('mysql'), startService('redis')]);
  await migrate(mysql.directUrl);
  useServices({ databaseUrl: mysql.directUrl, redisUrl: redis.directUrl });
  return {
    mysql,
    redis,
    watched: () => [
      { name: 'MySQL', pid: mysql.pid },
      { name: 'Redis', pid: redis.pid },
    ],
    async end() {
      await Promise.all([mysql.end(), redis.end()]);
    },
  };
}

interface Fault {
  readonly name: string;
  begin(): void;
  end(): Promise<void> | void;
  /** Answers that clients may get meanwhile and until it is mended. */
  readonly explains: readonly string[];
}

const databaseAway = ['503 dependency_unavailable', '503 overloaded', '503 temporarily_unavailable'];
/** A server that has just begun has one thread, and compiles what it runs, on a machine that is busy already. */
export const coldStart = ['503 overloaded', '504 engine_timeout'];
const processGone = ['network', ...coldStart];

function faultsOf({ mysql, redis }: Victims, server: ServerProcess, random: Random): Fault[] {
  // The first one is the primary, which looks after the others; a server alone has nobody who would start it again. The
  // second one is spared: it lives through every fault, so that its memory can be judged over the whole run.
  const [, spared] = serverProcesses(server.pid);
  const processes = (): Watched[] =>
    serverProcesses(server.pid).filter(({ pid }) => ![server.pid, spared?.pid].includes(pid));
  const faults: Fault[] = [
    { name: 'MySQL kill -9', begin: () => mysql.kill(), end: () => mysql.restart(), explains: databaseAway },
    { name: 'MySQL SIGSTOP', begin: () => mysql.freeze(), end: () => mysql.thaw(), explains: databaseAway },
    { name: 'Redis kill -9', begin: () => redis.kill(), end: () => redis.restart(), explains: [] },
    { name: 'Redis SIGSTOP', begin: () => redis.freeze(), end: () => redis.thaw(), explains: [] },
  ];
  if (processes().length === 0) return faults;
  const killProcess = (): void => {
    const present = processes();
    if (present.length > 0) process.kill(random.of(present).pid, 'SIGKILL');
  };
  return [
    ...faults,
    { name: 'server process kill -9', begin: killProcess, end: () => undefined, explains: processGone },
  ];
}

const pauseMs = { least: 2000, spread: 6000 };
const lengthMs = { least: 300, spread: 3500 };

/**
 * Breaks one thing after the other, at random times, until told to stop; then all is mended.
 * @param failed called once when something could not be broken or mended; nothing more is broken then
 */
export function startFaults(
  victims: Victims,
  server: ServerProcess,
  {
    random,
    weather,
    failed,
  }: { readonly random: Random; readonly weather: Weather; readonly failed: (error: unknown) => void },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const faults = faultsOf(victims, server, random);
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
  const run = async (): Promise<void> => {
    for (;;) {
      await pause(pauseMs.least + random.upTo(pauseMs.spread));
      if (signal.aborted) return;
      const fault = random.of(faults);
      const mended = weather.begin(fault.name, fault.explains);
      fault.begin();
      await pause(lengthMs.least + random.upTo(lengthMs.spread));
      await fault.end();
      mended();
    }
  };
  const running = run().catch(failed);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
