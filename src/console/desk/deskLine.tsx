import { decisionName } from '../../decisions/decisionName.js';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Fault } from '../api/types.js';
import { backToGrid } from '../editor/grid/backToGrid.js';
import { Overflow } from '../parts/menu.js';
import { Button, useHeading, versionName } from '../parts/small.js';
import { Link, useRouter } from '../shell/address.js';
import { SaveForm } from './saveForm.js';
import type { Draft } from './useDraft.js';
import type { Saving } from './useSaving.js';
import { Action } from '../parts/action.js';
import { Dialog } from '../parts/dialog.js';
import { loadPart } from '../parts/loadPart.js';
import { useListener } from '../parts/useListener.js';

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
  const title = `Edit ${decisionName(decision.key)}`;
  const heading = useHeading(title);
  return (
    <header class="desk-line">
      <h1 ref={heading} tabIndex={-1}>
        {title}
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
      <LeaveDialog draft={draft} onKeep={saving.keep} />
    </header>
  );
}

/** Whose changes these are, where the browser had them, and where else they are made. */
export function BroughtBack({ draft }: Pick<DeskLineProps, 'draft'>) {
  const { broughtBackFrom, begunFrom, isElsewhere, left, dropLeft, stored, edit } = draft;
  const [isPutAway, setPutAway] = useState(false);
  if (left !== null)
    return (
      <div class="notice">
        <p role="status">A tab that was closed had other changes of this decision, which are not saved.</p>
        <div class="actions">
          <Action
            name="Take them as well"
            work={async () => {
              const { mergedModel } = await loadPart(import('./dialogParts.js'));
              // Where both cannot be, Undo brings these back.
              edit((mine) => mergedModel(left.begun, mine, left.model) ?? left.model);
              dropLeft();
            }}
          />
          <Button name="Drop them" onClick={dropLeft} />
        </div>
      </div>
    );
  if (isElsewhere)
    return (
      <p class="notice" role="status">
        Another tab changes this decision as well. Once it is closed, what it has not kept is offered here.
      </p>
    );
  if (begunFrom !== null)
    return (
      <p class="notice" role="status">
        This is the content of {versionName(begunFrom)}, in place of the working copy’s. It is not saved yet; Undo takes
        it back.
      </p>
    );
  if (broughtBackFrom === null || isPutAway) return null;
  return (
    <div class="notice">
      <div role="status">
        <p>Your changes of {momentText(broughtBackFrom)} are here.</p>
        {stored.begun !== undefined && (
          <p>
            The decision has been changed elsewhere since they were begun: what is otherwise is told when you keep them.
          </p>
        )}
        <p class="soft small">Undo does not take them back; after you discard them, it brings them back.</p>
      </div>
      <div class="actions">
        <Button name="Discard them" onClick={() => edit(() => stored.content)} />
        <Button name="Hide" class="quiet" onClick={() => setPutAway(true)} />
      </div>
    </div>
  );
}

const momentText = (moment: Date): string =>
  moment.toDateString() === new Date().toDateString()
    ? moment.toLocaleTimeString([], { timeStyle: 'short' })
    : moment.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

/** Asks an author who wants to leave the page with unsaved changes whether to save or to discard them. The page stays until then. */
function LeaveDialog({ draft, onKeep }: { readonly draft: Draft; readonly onKeep: () => Promise<unknown> }) {
  const { isDirty } = draft;
  const { hold } = useRouter();
  const [pending, setPending] = useState<{ readonly go: () => void } | null>(null);
  const gone = useRef(pending);
  const leave = (): void => {
    if (gone.current !== pending) pending?.go();
    gone.current = pending;
  };
  // Before the page shows whether something is unsaved: who goes at once is asked, or not asked, by what they see.
  useLayoutEffect(() => {
    if (!isDirty) return;
    hold((go) => setPending({ go }));
    return () => hold(null);
  }, [isDirty]);
  // A save that was under way is done: nothing is left to be asked.
  useEffect(() => {
    if (isDirty) return;
    leave();
    setPending(null);
  }, [isDirty, pending]);
  // What the browser keeps is there when the page is loaded again: nobody has to be asked.
  useListener('beforeunload', (event) => {
    if (isDirty && !draft.keep()) event.preventDefault();
  });
  if (pending === null) return null;
  return (
    <Dialog
      title="Your changes are not saved"
      action="Keep as working copy"
      cancel="Stay"
      others={
        <Button
          name="Discard"
          onClick={() => {
            draft.discard();
            leave();
          }}
        />
      }
      onClose={() => setPending(null)}
      onSubmit={async () => {
        await onKeep();
        leave();
      }}
    >
      <p>Leave the editor, and keep them as the working copy, or discard them?</p>
    </Dialog>
  );
}
