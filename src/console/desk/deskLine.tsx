import { useEffect, useRef } from 'preact/hooks';
import type { Fault } from '../api/types.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { LeaveDialog } from './leaveDialog.js';
import { SaveForm, type Stored } from './saveForm.js';
import type { Draft } from './useDraft.js';

interface DeskLineProps {
  readonly draft: Draft;
  readonly faults: readonly Fault[];
  readonly onReload: () => void;
  readonly onKeys: () => void;
}

/** The line above: which decision, what is unsaved, and what can be done with all of it. */
export function DeskLine({ draft, faults, onReload, onKeys }: DeskLineProps) {
  const { api } = useSession();
  const { decision, tag } = draft.stored;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const keep = async (): Promise<Stored> => {
    // A model with errors is kept as a working copy, which nothing runs unless somebody deploys working copies.
    const force = faults.some(({ severity }) => severity === 'error');
    const content = draft.model;
    const kept = { ...(await api.updateDecision(decision.id, content, { force, tag })), content };
    draft.settle(kept);
    return kept;
  };
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
        onKeep={keep}
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
      <LeaveDialog isDirty={draft.isDirty} onKeep={keep} onDiscard={draft.discard} />
    </header>
  );
}
