import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Fault } from '../api/types.js';
import { Link } from '../shell/router.js';
import { LeaveDialog } from './leaveDialog.js';
import { SaveForm, type Stored } from './saveForm.js';
import type { Draft } from './useDraft.js';

interface DeskLineProps {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly onKeep: () => Promise<Stored>;
  readonly onReload: () => void;
  readonly onKeys: () => void;
}

/** The line above: which decision, what is unsaved, and what can be done with all of it. */
export function DeskLine({ draft, faults, onKeep, onReload, onKeys }: DeskLineProps) {
  const { decision } = draft.stored;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <header class="desk-line">
      <h1 ref={heading} tabIndex={-1}>
        Edit {decision.key}
      </h1>
      <span class="actions">
        <button type="button" disabled={!draft.canUndo} onClick={draft.undo} title="Ctrl+Z">
          Undo
        </button>
        <button type="button" disabled={!draft.canRedo} onClick={draft.redo} title="Ctrl+Y">
          Redo
        </button>
      </span>
      <SaveForm
        stored={draft.stored}
        isDirty={draft.isDirty}
        faults={faults}
        onKeep={onKeep}
        onStored={draft.settle}
        onReload={() => {
          draft.discard();
          onReload();
        }}
      />
      <span class="actions">
        <Link class="button" to={`/deployments?decision=${decision.id}`}>
          Deploy
        </Link>
        <Link class="button" to={`/decisions/${decision.id}`}>
          Model
        </Link>
        <button type="button" aria-label="Keys" title="Keys (?)" onClick={onKeys}>
          ?
        </button>
      </span>
      <LeaveDialog isDirty={draft.isDirty} onKeep={onKeep} onDiscard={draft.discard} />
    </header>
  );
}
