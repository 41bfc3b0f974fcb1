import { isObject, textOf } from '../graph/fields.js';
import type { DifferenceLine } from './columnLines.js';

/** Members of a test, as people call them. */
const parts: Readonly<Record<string, string>> = { input: 'given', output: 'expected' };

/** What differs between the tests of two models: each test by its name, each value by the way to it. */
export function testLines(before: unknown, after: unknown): DifferenceLine[] {
  const [old, young] = [named(before), named(after)];
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), young.get(name)];
    const lines = valueLines(was, is, [name]);
    // Without an earlier or a later one all of it is told in one line.
    return lines.map(({ where, ...line }) => ({ where: `test “${name}”${where}`, ...line }));
  });
}

/** By their names; one without a name, or with that of another, by its number too. */
function named(tests: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const all: readonly unknown[] = Array.isArray(tests) ? tests : [];
  for (const [at, test] of all.entries()) {
    const own = isObject(test) ? textOf(test['name']) : '';
    const name = own === '' ? `test ${at + 1}` : own;
    found.set(found.has(name) ? `${name} (${at + 1})` : name, test);
  }
  return found;
}

function valueLines(before: unknown, after: unknown, path: readonly string[]): DifferenceLine[] {
  const isBoth = (is: (value: unknown) => boolean): boolean => is(before) && is(after);
  if (isBoth(isObject) || isBoth(Array.isArray)) {
    const [was, is] = [before, after] as readonly [Members, Members];
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    return names.flatMap((name) =>
      valueLines(was[name], is[name], [...path, Array.isArray(after) ? `${Number(name) + 1}` : name]),
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return [{ where: whereOf(path.slice(1)), change, before, after }];
}

type Members = Readonly<Record<string, unknown>>;

/** `output`, `rate` as `: expected rate`. */
const whereOf = ([part, ...way]: readonly string[]): string =>
  part === undefined ? '' : `: ${[parts[part] ?? part, way.join('.')].filter((word) => word !== '').join(' ')}`;
