import type { ComparisonSettings } from '../../workers/models/index.js';
import { finished } from '../decisions/programs/finished.js';
import { Problem } from '../errors.js';
import type { Pool } from '../admission/pool/pool.js';

/**
 * Has a thread compile the expressions of measures. Rejects with `validation_failed`, naming each that is wrong or has
 * another's name, and with `overloaded` or why the work was stopped.
 */
export async function requireMeasures(
  pool: Pick<Pool, 'work'>,
  workspaceId: string,
  settings: ComparisonSettings,
): Promise<void> {
  if (settings.measures.length === 0) return;
  requireOwnNames(settings.measures.map(({ name }) => name));
  const nothing = { configurationId: '', programs: [], cases: [] };
  const { faults } = finished(
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
function requireOwnNames(names: readonly string[]): void {
  const errors = names.flatMap((name, at) =>
    names.indexOf(name) === at
      ? []
      : [{ in: 'body' as const, pointer: `/measures/${at}/name`, message: 'is the name of another measure' }],
  );
  if (errors.length > 0) throw new Problem('validation_failed', 'Two measures have the same name.', { errors });
}
