import type { Protection } from '../protections/protections.schema.js';

/** What changed between two protections, for people. */
export function differencesOf(before: Protection | null, after: Protection | null): string {
  if (after === null) return 'it was removed';
  if (before === null) return 'it was put back';
  const [old, now] = [flat(before), flat(after)];
  return Object.keys(now)
    .filter((name) => old[name] !== now[name])
    .map((name) => `${name}: ${String(old[name])} → ${String(now[name])}`)
    .join(', ');
}

const flat = ({ requires, ...rest }: Protection): Readonly<Record<string, unknown>> => ({ ...rest, ...requires });
