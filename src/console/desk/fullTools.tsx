import { backToGrid } from '../editor/grid/backToGrid.js';
import { Button } from '../parts/small.js';
import type { Draft } from './useDraft.js';
import type { Saving } from './useSaving.js';

interface FullToolsProps {
  readonly draft: Draft;
  readonly saving: Saving;
  readonly onLeave: () => void;
}

/** What the line above has, where the table or the graph fills the screen and it is not seen. */
export function FullTools({ draft, saving, onLeave }: FullToolsProps) {
  return (
    <span class="actions" role="group" aria-label="Full screen">
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
