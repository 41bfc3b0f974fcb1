import type { FileImport } from '#openapi/types.gen.js';
import { drawDiagnostics, locatedDiagnostic } from '../../diagnostics.js';
import type { Session } from '../../session.js';
import { table } from '../../table.js';

/** Prints what a file has changed, or would change. */
export function printImport(session: Session, body: FileImport): void {
  session.print(body, () => {
    const { differences, decision, faults } = body;
    const rows = differences.rows.map(({ ruleId, change, cells }) => [
      ruleId,
      change,
      cells.map(({ column, before, after }) => `${column}: ${shown(before)} → ${shown(after)}`).join('\n'),
    ]);
    const others = differences.nodes.length + (differences.fields?.length ?? 0);
    const drawn =
      faults.length === 0 ? [] : [drawDiagnostics(faults.map((fault) => locatedDiagnostic(decision.key, fault)))];
    const parts = [
      ...(rows.length === 0 ? [] : [table(['row', 'change', 'cells'], rows)]),
      ...(others === 0 ? [] : [`${others} ${others === 1 ? 'change' : 'changes'} besides rows`]),
      ...(rows.length + others === 0 ? ['nothing changed'] : []),
      ...drawn,
    ];
    return parts.join('\n');
  });
}

const shown = (value: unknown): string =>
  value === undefined ? '∅' : typeof value === 'string' ? value : JSON.stringify(value);
