/** Which fields an expression read that were not given, in words: for pages and steps alike; it imports nothing. */

/** Why a node failed, as a trace has it. */
export interface Failed {
  readonly message: string;
  readonly field?: string;
  readonly span?: readonly number[];
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

/**
 * `: no income was given`, of a node of expressions that failed for a missing value; '' where nobody can tell, as within
 * the items of a list. The engine's own words name the operator alone.
 */
export function whatWasMissing({ message, field = '', span }: Failed, input: unknown, content: unknown): string {
  const { expressions, executionMode, inputField } = membersOf(content);
  const [, row] = /^content\.expressions\[(\d+)\]/.exec(field) ?? [];
  if (row === undefined || !message.includes('(null)') || executionMode === 'loop' || inputField) return '';
  const { value } = membersOf(Array.isArray(expressions) ? (expressions as unknown[])[Number(row)] : undefined);
  // Names of items and of what an expression assigns are its own.
  if (typeof value !== 'string' || value.length > longest || /[#;]|\bas\b/.test(value)) return '';
  const names = missingNames(value.slice(...(span ?? [])), membersOf(input));
  if (names.length === 0) return '';
  const told = names.map((name) => `no ${name}`);
  const all = told.length === 1 ? told.join() : `${told.slice(0, -1).join(', ')} and ${told.at(-1) ?? ''}`;
  return `: ${all} ${told.length === 1 ? 'was' : 'were'} given`;
}

/** Characters of an expression that is looked through. */
const longest = 2000;

/** Texts, which name nothing, and fields that are read by a path from what comes in; a function is none, and one with `??` after it may be missing. */
const reads =
  /`[^`]*`|"[^"]*"|'[^']*'|(?<![\p{L}\p{N}_$.\]])(?:\$root(?=[.[])|[\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}_][\p{L}\p{N}_]*|\[\s*(?:"[^"]*"|'[^']*')\s*\])*(?![\p{L}\p{N}_.[])(?!\s*(?:\(|\?\?))/gu;
const steps = /[\p{L}_][\p{L}\p{N}_]*|"[^"]*"|'[^']*'/gu;
const words: ReadonlySet<string> = new Set(['true', 'false', 'null', 'and', 'or', 'not', 'in']);

function missingNames(source: string, input: Members): string[] {
  const found = new Set<string>();
  for (const [read] of source.matchAll(reads)) {
    if (words.has(read) || /^["'`]/.test(read)) continue;
    const path = [...read.replace(/^\$root/, '').matchAll(steps)].map(([step]) => step.replaceAll(/^["']|["']$/g, ''));
    let value: unknown = input;
    for (const [at, step] of path.entries()) {
      const members = membersOf(value);
      value = Object.hasOwn(members, step) ? members[step] : undefined;
      // Of a list or a text nobody can tell what a step gives.
      if (value === null || value === undefined) found.add(path.slice(0, at + 1).join('.'));
      if (typeof value !== 'object' || value === null || Array.isArray(value)) break;
    }
  }
  return [...found];
}
