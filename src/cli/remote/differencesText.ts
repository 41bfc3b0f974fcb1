import { cell } from '../table.js';
import type { Differences } from './operations.js';

const longest = 60;

/** Differences for people: a line for each node, edge and row, and below it what was and what is. */
export function differencesText({ nodes, edges, rows }: Differences): string {
  const names = new Map(nodes.map(({ id, name }) => [id, name ?? id]));
  const lines = [
    ...nodes.flatMap(({ id, name, type, change, fields }) => [
      `${change.padEnd(width)} node ${quoted(name ?? id)}${type === null ? '' : ` (${type})`}`,
      ...fields.map(({ pointer, before, after }) => `    ${pointer}: ${shown(before)} → ${shown(after)}`),
    ]),
    ...rows.flatMap(({ nodeId, ruleId, change, cells }) => [
      `${change.padEnd(width)} row ${quoted(ruleId)} of ${quoted(names.get(nodeId) ?? nodeId)}`,
      ...cells.map(({ column, before, after }) => `    ${column}: ${shown(before)} → ${shown(after)}`),
    ]),
    ...edges.map(({ change, source, target }) => `${change.padEnd(width)} edge ${quoted(source)} → ${quoted(target)}`),
  ];
  return lines.length === 0 ? 'no differences' : lines.map((line) => cell(line)).join('\n');
}

const width = 'changed'.length;

const quoted = (name: string): string => JSON.stringify(name);

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  const text = cell(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
