import { growing, memoryOf, type Soak } from './judge.js';
import type { Sample } from './memory.js';

/** A table as both reports have it. */
export interface Rows {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function headline({ about, kinds, spells }: Soak): string {
  const requests = kinds.reduce((sum, kind) => sum + kind.requests, 0);
  const broken = about.faults ? `, ${spells.length - 1} faults` : '';
  const processes = `${about.processes} server ${about.processes === 1 ? 'process' : 'processes'}`;
  return (
    `${whole(requests)} requests in ${whole(about.seconds)} s by ${about.connections} connections to ${processes}` +
    `${broken}; seed ${about.seed}, Node ${about.node}.`
  );
}

export function auditLine({ audit, auditSeconds }: Soak): string {
  return (
    `${whole(audit.acknowledged)} executions acknowledged, ${whole(audit.replayed)} of them an earlier answer again; ` +
    `${whole(audit.rows)} in the database, held against that in ${whole(auditSeconds)} s: ${audit.lost} lost, ` +
    `${audit.duplicated} duplicated, ${audit.different} different, ${audit.unasked} unasked for.`
  );
}

export function kindRows({ kinds }: Soak): Rows {
  const rows = kinds.map(({ kind, requests, p50Ms, p99Ms, slowestMs }) => [
    kind,
    whole(requests),
    ...[p50Ms, p99Ms, slowestMs].map((ms) => ms.toFixed(1)),
  ]);
  return { headings: ['', 'requests', 'p50 ms', 'p99 ms', 'slowest'], rows };
}

/** What each kind was answered, most frequent first. */
export function answers({ kinds }: Soak): { readonly kind: string; readonly answers: string }[] {
  return kinds.map((each) => ({ kind: each.kind, answers: counted(each.answers) }));
}

/** By kind of fault: how often, how long in all, and the errors that came of it. */
export function spellRows({ spells, explained }: Soak): Rows {
  const names = [...new Set(spells.map(({ name }) => name))].sort();
  const rows = names.map((name) => {
    const those = spells.filter((spell) => spell.name === name);
    const seconds = those.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0) / 1000;
    return [name, String(those.length), seconds.toFixed(1), counted(explained[name] ?? {}) || 'none'];
  });
  return { headings: ['fault', 'times', 'seconds', 'errors that it explains'], rows };
}

export const spellNote = 'A fault explains its own errors only, until 5 s after it is mended. Any other is a finding.';

export function memoryRows({ about, memory }: Soak): Rows {
  const rows = Object.entries(memory).map(([name, lives]) => {
    const { grownMb, mb, verdict } = memoryOf(about, name, lives);
    const samples = lives.flatMap((life) => life.samples);
    const after = samples.find(({ at }) => at >= (samples.at(-1)?.at ?? 0) / 10)?.mb ?? 0;
    const numbers = [after, mb, samples.at(-1)?.mb ?? 0, grownMb].map((each) => each.toFixed(1));
    return [name, String(lives.length), ...numbers, verdict];
  });
  return { headings: ['memory, MB', 'lives', 'after 1/10', 'median', 'end', 'grew', ''], rows };
}

/** Memories that are worth a plot, the lives one after the other. */
export const plotted = ({ memory }: Soak): (readonly [string, readonly Sample[]])[] =>
  Object.entries(memory)
    .filter(([name]) => name !== growing)
    .map(([name, lives]) => [name, lives.flatMap(({ samples }) => samples)]);

function counted(counts: Readonly<Record<string, number>>): string {
  const byCount = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return byCount.map(([label, count]) => `${whole(count)} × ${label}`).join(', ');
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
