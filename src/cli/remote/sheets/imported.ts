import type { FileImport } from '#openapi/types.gen.js';
import { drawDiagnostics, locatedDiagnostic } from '../../diagnostics.js';
import { table } from '../../tableOf.js';

/** What a file has changed, or would change. @param nameOf what people call a column of an id */
export function importText(
  { differences, decision, faults }: FileImport,
  nameOf = (column: string): string => column,
): string {
  const rows = differences.rows.map(({ ruleId, change, position, cells }) => [
    String((position.to ?? position.from ?? 0) + 1),
    ruleId,
    change,
    cells.map(({ column, before, after }) => `${nameOf(column)}: ${shown(before)} → ${shown(after)}`).join('\n'),
  ]);
  const cells = differences.rows.filter(({ change }) => change === 'changed').flatMap((row) => row.cells).length;
  const others = differences.nodes.length + (differences.fields?.length ?? 0);
  const drawn =
    faults.length === 0 ? [] : [drawDiagnostics(faults.map((fault) => locatedDiagnostic(decision.key, fault)))];
  const parts = [
    ...(rows.length === 0 ? [] : [table(['row', 'id', 'change', 'cells'], rows)]),
    ...(cells === 0 ? [] : [`${cells} ${cells === 1 ? 'cell' : 'cells'} of rows that are there`]),
    ...(others === 0 ? [] : [`${others} ${others === 1 ? 'change' : 'changes'} besides rows`]),
    ...(rows.length + others === 0 ? ['nothing changed'] : []),
    ...drawn,
  ];
  return parts.join('\n');
}

const shown = (value: unknown): string =>
  value === undefined ? '∅' : typeof value === 'string' ? value : JSON.stringify(value);
