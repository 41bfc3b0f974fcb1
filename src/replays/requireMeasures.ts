import type { ComparisonSettings } from '../../workers/models/index.js';
import { requireFinished } from '../decisions/programs/requireFinished.js';
import { Problem, type Violation } from '../errors.js';
import type { Pool } from '../admission/pool/pool.js';

/**
 * Has a thread compile the expressions of measures. Rejects with `validation_failed`, naming each that is wrong, and with `overloaded` or why the work was stopped.
 */
export async function requireMeasures(
  pool: Pick<Pool, 'work'>,
  workspaceId: string,
  settings: ComparisonSettings,
): Promise<void> {
  if (settings.measures.length === 0) return;
  const nothing = { configurationId: '', programs: [], cases: [] };
  const { faults } = requireFinished(
    await pool.work<'compare'>(workspaceId, { kind: 'compare', workspaceId, settings, ...nothing }),
  );
  if (faults.length === 0) return;
  throw new Problem('validation_failed', 'An expression of a measure cannot be compiled.', {
    errors: faults.map(({ measure, message }) => ({
      in: 'body',
      pointer: `/measures/${measure}/expression`,
      message,
    })),
  });
}

/** In a report measures are told apart by their names. */
export function findNameViolations({ measures }: Readonly<Record<string, unknown>>): readonly Violation[] {
  if (!Array.isArray(measures)) return [];
  const names = measures.map((measure: { readonly name?: unknown } | null) => measure?.name);
  return names.flatMap((name, at) =>
    typeof name !== 'string' || names.indexOf(name) === at
      ? []
      : [{ in: 'body', pointer: `/measures/${at}/name`, message: 'is the name of another measure' }],
  );
}
