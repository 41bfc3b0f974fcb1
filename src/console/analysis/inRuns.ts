import type { Analysis } from '../api/types.js';

type Finding = Analysis['tables'][number]['findings'][number];

/** What was asked of rows, where it was not decided; of other kinds their own words say it. */
const asked: Partial<Record<Finding['kind'], string>> = {
  shadowed: 'Whether some fact reaches them was not decided',
  conflict: 'Whether they can match was not decided',
  redundant: 'Whether something changes without them was not decided',
};

/** Findings as they are told: what was not decided of many rows, for one reason, is one of all of them, and claims nothing. */
export function inRuns(findings: readonly Finding[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const finding of findings) {
    const { kind, status, message, rules } = finding;
    const lead = asked[kind];
    const isOpen = status === 'unknown' && lead !== undefined;
    const [, reason] = /: not decided, as (.*)$/su.exec(message) ?? [];
    const told = isOpen ? { ...finding, message: `${lead}${reason === undefined ? '' : `, as ${reason}`}` } : finding;
    const name = isOpen ? JSON.stringify([kind, reason ?? message]) : String(found.size);
    found.set(name, { ...told, rules: [...(found.get(name)?.rules ?? []), ...rules] });
  }
  return [...found.values()];
}
