import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writePrivateJson } from '../../src/cli/privateJson.js';
import { isMark } from '../../src/cli/processMark.js';
import type { ProcessMark } from '../../src/cli/processMark.js';

/** What is known of one started server. */
export interface RunningService {
  readonly url: string;
  readonly port: number;
  /** Absent when a container runs it. */
  readonly mark?: ProcessMark;
}

/** What stands in `services.json`: kept after a kill -9, so that the next start knows what was left behind. */
interface ServicesState {
  /** True once everything answers. */
  readonly ready: boolean;
  readonly mysql?: RunningService;
  readonly redis?: RunningService;
}

/** Reads `services.json`; an absent or damaged file is an empty state. */
export function readState(dir: string): ServicesState {
  const value = readJson(statePath(dir));
  if (typeof value !== 'object' || value === null) return { ready: false };
  const { ready, mysql, redis } = value as Record<string, unknown>;
  return {
    ready: ready === true,
    ...(isRunningService(mysql) ? { mysql } : {}),
    ...(isRunningService(redis) ? { redis } : {}),
  };
}

export function writeState(dir: string, state: ServicesState): void {
  writePrivateJson(statePath(dir), state);
}

/** The servers are gone; their ports are kept, since the next start prefers them. */
export function clearState(dir: string): void {
  const { mysql, redis } = readState(dir);
  const before = readPorts(dir);
  const ports = { mysql: mysql?.port ?? before.mysql, redis: redis?.port ?? before.redis };
  writePrivateJson(join(dir, 'ports.json'), ports);
  rmSync(statePath(dir), { force: true });
}

/** The ports of the last time. */
export function readPorts(dir: string): { mysql?: number; redis?: number } {
  const value = readJson(join(dir, 'ports.json'));
  if (typeof value !== 'object' || value === null) return {};
  const { mysql, redis } = value as Record<string, unknown>;
  return {
    ...(typeof mysql === 'number' ? { mysql } : {}),
    ...(typeof redis === 'number' ? { redis } : {}),
  };
}

/** Random passwords, 192 bits each, URL and SQL safe. */
export interface Passwords {
  readonly application: string;
  readonly root: string;
  readonly redis: string;
  /** Of this set, random and no secret. */
  readonly id: string;
}

/** The passwords of a folder's servers, made once. */
export function passwordsOf(dir: string): Passwords {
  const path = join(dir, 'passwords.json');
  const value = readJson(path);
  if (isPasswords(value)) return value;
  const make = (): string => randomBytes(24).toString('base64url');
  const made = { application: make(), root: make(), redis: make(), id: randomBytes(8).toString('hex') };
  writePrivateJson(path, made);
  return made;
}

function isPasswords(value: unknown): value is Passwords {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    typeof fields['id'] === 'string' &&
    ['application', 'root', 'redis'].every((name) => /^[\w-]{20,}$/.test(String(fields[name])))
  );
}

function isRunningService(value: unknown): value is RunningService {
  if (typeof value !== 'object' || value === null) return false;
  const { url, port, mark } = value as Record<string, unknown>;
  return typeof url === 'string' && typeof port === 'number' && (mark === undefined || isMark(mark));
}

function statePath(dir: string): string {
  return join(dir, 'services.json');
}
