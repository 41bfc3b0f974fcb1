import { join } from 'node:path';
import type { DemoAccess } from './seeds/demo.js';
import { readJson, writePrivateJson } from '../src/cli/privateJson.js';

/** `demo.json`: since a client's secret is shown once, what `make run` says of a demo is kept, for each database. */
interface Kept {
  /** Of the present run's database; absent where that has none. */
  readonly demo?: DemoAccess | undefined;
  readonly demos: Readonly<Record<string, DemoAccess>>;
}

/** The database that a run started itself: its port may change. */
const privateKey = 'private';

/** What tells databases apart in `demo.json`. @param given the user's `DATABASE_URL`; undefined for a private database */
export function demoKeyOf(given: string | undefined): string {
  if (given === undefined) return privateKey;
  const { username, hostname, port, pathname } = new URL(given);
  return `${username}@${hostname}:${port === '' ? '3306' : port}${pathname}`;
}

export function keepDemo(dir: string, key: string, demo: DemoAccess): void {
  const kept = read(dir);
  writePrivateJson(pathIn(dir), { ...kept, demos: { ...kept.demos, [key]: demo } });
}

export function keptDemo(dir: string, key: string): DemoAccess | undefined {
  return read(dir).demos[key];
}

/** Puts that database's demo, or none, where the command lines of README look for the present one. */
export function presentDemo(dir: string, key: string): void {
  const { demos } = read(dir);
  writePrivateJson(pathIn(dir), { demo: demos[key], demos });
}

function read(dir: string): Kept {
  const kept = readJson(pathIn(dir)) as Partial<Kept> | undefined;
  return { demo: kept?.demo, demos: kept?.demos ?? {} };
}

function pathIn(dir: string): string {
  return join(dir, 'demo.json');
}
