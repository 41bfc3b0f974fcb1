/** More of them would hide the first ones. */
const maxLines = 20;
const maxLength = 200;

/** Where two JSON values differ, one line a place: `fee.amount: expected 12, got 13`. Empty when they are equal. */
export function differences(expected: unknown, actual: unknown): string[] {
  const lines: string[] = [];
  compare('', expected, actual, lines);
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];
}

function compare(path: string, expected: unknown, actual: unknown, lines: string[]): void {
  if (Object.is(expected, actual) || (expected === 0 && actual === 0)) return;
  if (!isContainer(expected) || !isContainer(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    lines.push(`${path === '' ? 'the result' : path}: expected ${shown(expected)}, got ${shown(actual)}`);
    return;
  }
  const list = Array.isArray(expected);
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const place = list ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    compare(place, own(expected, key), own(actual, key), lines);
  }
}

type Container = Readonly<Record<string, unknown>>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const own = (value: Container, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
