import { formatJson, LongNumber } from '../exactJson.js';

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
  if (isSame(expected, actual)) return;
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

/** Two numbers of more digits than doubles have are compared digit by digit, all others as doubles. */
function isSame(expected: unknown, actual: unknown): boolean {
  if (expected instanceof LongNumber && actual instanceof LongNumber) return expected.equals(actual);
  const [one, other] = [expected, actual].map((item) => (item instanceof LongNumber ? Number(item.text) : item));
  return one === other;
}

type Container = Readonly<Record<string, unknown>>;

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof LongNumber);

const own = (value: Container, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = formatJson(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
