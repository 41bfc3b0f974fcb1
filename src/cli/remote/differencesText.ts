import type { ModelDifferences } from '../../../workers/models/index.js';
import { cell } from '../tableOf.js';

const longest = 60;
const width = 'changed'.length;

/**
 * Differences for people: a line for each node, row and edge, and below it what was and what is.
 * @param between what was compared, for where there are none
 */
export function differencesText({ nodes, edges, rows, fields = [] }: ModelDifferences, between: string): string {
  const names = new Map(nodes.map(({ id, name }) => [id, name ?? id]));
  const lines = [
    ...nodes.flatMap((node) => [
      `${node.change.padEnd(width)} node ${quoted(node.name ?? node.id)}${node.type === null ? '' : ` (${node.type})`}`,
      ...(node.change === 'changed' ? node.fields.map((field) => shown(field.pointer, field)) : []),
    ]),
    ...rows.flatMap(({ nodeId, nodeName, ruleId, change, position: { from, to }, cells }) => [
      // Of DMN, people know names and numbers of rules; ids are their modeler's.
      nodeName === undefined
        ? `${change.padEnd(width)} row ${quoted(ruleId)} of ${quoted(names.get(nodeId) ?? nodeId)}`
        : `${change.padEnd(width)} rule ${(to ?? from ?? 0) + 1} of ${quoted(nodeName)}`,
      ...cells.map((each) => shown(each.column, each)),
    ]),
    ...edges.map(
      ({ change, source, target, sourceName = source, targetName = target }) =>
        `${change.padEnd(width)} edge ${quoted(sourceName)} → ${quoted(targetName)}`,
    ),
    ...fields.map((field) => shown(field.pointer, field)),
  ];
  return lines.length === 0 ? `no differences between ${between}` : lines.map((line) => cell(line)).join('\n');
}

const quoted = (name: string | null): string => (name === null ? 'without an id' : JSON.stringify(name));

const shown = (name: string, { before, after }: { readonly before?: unknown; readonly after?: unknown }): string =>
  `    ${name}: ${short(before)} → ${short(after)}`;

function short(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : cell(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
