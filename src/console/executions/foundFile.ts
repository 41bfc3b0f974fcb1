import { isObject } from '../graph/fields.js';
import type { Execution } from '../api/types.js';
import { loadPart } from '../parts/loadPart.js';
import { versionName } from '../parts/small.js';
import type { Names } from '../parts/useNames.js';

type Line = readonly (readonly [column: string, text: string])[];

/** Executions as a .csv, a column for each field that one of them was asked or has answered. */
export async function foundFile(found: readonly Execution[], { keyOf, environmentOf }: Names): Promise<Blob> {
  const { csvCell } = await loadPart(import('../../../workers/cells/pages.js'));
  const lines = found.map((execution): ReadonlyMap<string, string> => {
    const { id, createdAt, status, decisionId, version, environmentId, reference, fact, result, error } = execution;
    return new Map([
      ...Object.entries({ id, createdAt, status, decision: keyOf(decisionId), version: versionName(version) }),
      ['environment', environmentOf(environmentId)?.name ?? environmentId],
      ['reference', reference ?? ''],
      ...leavesOf('fact', fact),
      ...(error === null ? leavesOf('result', result) : leavesOf('error', error)),
    ]);
  });
  // What was asked stands before what was answered, whichever of them has a field that others have not.
  const named = [...new Set(lines.flatMap((line) => [...line.keys()]))];
  const isOf = (part: string) => (name: string) => name === part || name.startsWith(`${part}.`);
  const late = ['fact', 'result', 'error'].map((part) => named.filter(isOf(part)));
  const columns = [...new Set([...named.filter((name) => !late.flat().includes(name)), ...late.flat()])];
  const rows = [columns, ...lines.map((line) => columns.map((column) => line.get(column) ?? ''))];
  return new Blob([rows.map((cells) => `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`).join('')], {
    type: 'text/csv',
  });
}

function leavesOf(path: string, value: unknown): Line {
  const members = isObject(value) ? Object.entries(value) : [];
  if (members.length > 0) return members.flatMap(([name, inner]) => leavesOf(`${path}.${name}`, inner));
  return value === null || value === undefined
    ? []
    : [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
}
