import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process by its number and start time, so that a later one with the same number is not taken for it. */
export interface ProcessMark {
  readonly pid: number;
  /** Its start time as the system prints it; only compared. */
  readonly born: string;
}

/** The mark of a living process, or undefined when there is none (a zombie counts as none). */
export function markOf(pid: number): ProcessMark | undefined {
  const born = process.platform === 'linux' ? bornOnLinux(pid) : bornByPs(pid);
  return born === undefined ? undefined : { pid, born };
}

/** True while that process lives; false for another one with its number. */
export function isAlive(mark: ProcessMark): boolean {
  return markOf(mark.pid)?.born === mark.born;
}

/** True when `value` is a mark, as read from a file. */
export function isMark(value: unknown): value is ProcessMark {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, born } = value as Record<string, unknown>;
  return typeof pid === 'number' && typeof born === 'string';
}

function bornOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold blanks and parentheses; what follows the last one is regular (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTime] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X') return undefined;
    return startTime;
  } catch {
    return undefined;
  }
}

function bornByPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state = 'Z', ...born] = line.split(/\s+/);
    return state.startsWith('Z') ? undefined : born.join(' ');
  } catch {
    return undefined;
  }
}
