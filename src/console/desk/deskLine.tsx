import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Fault } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { backToGrid } from '../editor/grid/backToGrid.js';
import { Overflow } from '../parts/overflow.js';
import { Button } from '../parts/small.js';
import { Link } from '../shell/address.js';
import { LeaveDialog } from './leaveDialog.js';
import { Over } from './over.js';
import { SaveForm } from './saveForm.js';
import type { Draft } from './useDraft.js';
import type { Saving } from './useSaving.js';

interface DeskLineProps {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly saving: Saving;
  readonly onReload: () => void;
  readonly onKeys: () => void;
}

/** The line above: which decision, what is unsaved, and what can be done with all of it. */
export function DeskLine({ draft, saving, faults, onReload, onKeys }: DeskLineProps) {
  const { decision } = draft.stored;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <header class="desk-line">
      <h1 ref={heading} tabIndex={-1}>
        Edit {decisionName(decision.key)}
      </h1>
      <span class="actions">
        <Button name="Undo" disabled={draft.before === null} onClick={() => backToGrid(draft.undo)} title="Ctrl+Z" />
        <Button name="Redo" disabled={draft.after === null} onClick={() => backToGrid(draft.redo)} title="Ctrl+Y" />
      </span>
      <SaveForm {...{ draft, saving, faults, onReload }} />
      <span class="actions">
        <Overflow label="More">
          <Link name="Deploy" class="button" to={`/deployments?decision=${decision.id}`} />
          <Link name="Model" class="button" to={`/decisions/${decision.id}`} />
          <Button name="?" aria-label="Keys" title="Keys (?)" onClick={onKeys} />
        </Overflow>
      </span>
      {saving.failure === null && <BroughtBack draft={draft} />}
      <LeaveDialog draft={draft} onKeep={saving.keep} />
    </header>
  );
}

/** Whose changes these are, where the browser had them: nobody has to find out by Undo. */
function BroughtBack({ draft: { broughtBackFrom, undo } }: Pick<DeskLineProps, 'draft'>) {
  const [isPutAway, setPutAway] = useState(false);
  if (broughtBackFrom === null || isPutAway) return null;
  return (
    <Over onClose={() => setPutAway(true)}>
      <p role="status">Your changes of {momentText(broughtBackFrom)} are here.</p>
      <Button name="Discard them" title="Redo brings them back" onClick={undo} />
    </Over>
  );
}

const momentText = (moment: Date): string =>
  moment.toDateString() === new Date().toDateString()
    ? moment.toLocaleTimeString([], { timeStyle: 'short' })
    : moment.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
