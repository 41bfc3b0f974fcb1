import { backToGrid } from '../editor/grid/backToGrid.js';
import type { KnownFaults } from '../model/knownFaults.js';
import { Button, count } from '../parts/small.js';
import type { Draft } from './useDraft.js';
import type { Saving } from './useSaving.js';

interface FullToolsProps {
  readonly draft: Draft;
  readonly saving: Saving;
  readonly known: Pick<KnownFaults, 'faults' | 'status'>;
  readonly onLeave: () => void;
}

const words = { known: 'No faults', checking: 'Being checked …', stopped: 'Faults are not known' } as const;

/** What the lines above and below have, where the table or the graph fills the screen and they are not seen. */
export function FullTools({ draft, saving, known: { faults, status }, onLeave }: FullToolsProps) {
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  const warnings = faults.filter(({ severity }) => severity === 'warning').length;
  return (
    <span class="actions" role="group" aria-label="Full screen">
      <span class={errors > 0 ? 'bad' : warnings > 0 ? 'warn' : 'soft'} role="status">
        {errors + warnings === 0
          ? words[status]
          : [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')]
              .filter(Boolean)
              .join(', ')}
      </span>
      <Button name="Undo" disabled={draft.before === null} onClick={() => backToGrid(draft.undo)} title="Ctrl+Z" />
      <Button name="Redo" disabled={draft.after === null} onClick={() => backToGrid(draft.redo)} title="Ctrl+Y" />
      <Button
        name="Save"
        aria-label="Keep as working copy"
        title="Keep as working copy (Ctrl+S)"
        disabled={saving.isBusy || !draft.isDirty}
        onClick={() => backToGrid(() => void saving.keep().catch(() => undefined))}
      />
      <Button name="Leave full screen" title="F" onClick={() => backToGrid(onLeave)} />
    </span>
  );
}
