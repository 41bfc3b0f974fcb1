import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Operations } from '../api/operations.js';
import { isSame } from '../api/sameJson.js';
import type { Decision, Model } from '../api/types.js';
import { useListener } from '../parts/useListener.js';
import { useElsewhere } from './useElsewhere.js';
import { takenOver, useLeft, type Left } from './useLeft.js';
import { abandoned, edited, historyOf, redone, undone, type History } from './history.js';
import { draftName, keep as keepFor, readKept } from '../parts/kept.js';

/** A draft that outlives the page, the tab and a crash: models alone, never facts, which may be about people. */
interface Kept {
  readonly model: Model;
  /** Of the decision when the draft was begun. */
  readonly tag: string | null;
  /** What it was begun from, by which both can be taken; not where the browser had no room for it. */
  readonly begun?: Model;
  /** When it was changed last. */
  readonly at: number;
}

/** A decision as the service has it. */
export interface Stored {
  readonly decision: Decision;
  /** By which another's change is noticed. */
  readonly tag: string | null;
  readonly content: Model;
  /** What the draft was begun from, where another has stored something since; null where that is not known any more. */
  readonly begun?: Model | null;
  /** A version whose content is taken in place of the working copy's. */
  readonly from?: { readonly version: number; readonly content: Model };
}

/** What the service has of a decision. @param from the version with which somebody wants to go on; 0 for the working copy */
export async function readStored(api: Operations, id: string, signal?: AbortSignal, from = 0): Promise<Stored> {
  const [found, { content, contentHash }, older] = await Promise.all([
    api.decisionWithTag(id, signal),
    api.version(id, 0, signal),
    from > 0 ? api.version(id, from, signal) : null,
  ]);
  const isOther = older !== null && older.contentHash !== contentHash;
  return { ...found, content, ...(isOther && { from: { version: from, content: older.content } }) };
}

/** The draft, all of whose changes can be taken back. */
export interface Draft {
  readonly model: Model;
  /** What the service has by now. */
  readonly stored: Stored;
  readonly isDirty: boolean;
  /** The browser has it until it is saved, whatever becomes of the page. */
  readonly isKept: boolean;
  /** Another tab changes the same decision, too: the browser keeps what was changed last. */
  readonly isElsewhere: boolean;
  /** What a tab that was closed had beside it; null where that is the same. */
  readonly left: Left | null;
  readonly dropLeft: () => void;
  /** When the changes were made that the browser had kept, until one more is made, or they are taken back. */
  readonly broughtBackFrom: Date | null;
  /** The version whose content it has in place of the working copy's; null once that was changed, stored or taken back. */
  readonly begunFrom: number | null;
  readonly edit: (change: (model: Model) => Model, step?: string | null) => void;
  readonly abandon: (step: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** What `undo` and `redo` go to; null where there is nothing. */
  readonly before: Model | null;
  readonly after: Model | null;
  /** Something was stored, or loaded: from here on changes are counted. */
  readonly settle: (stored: Stored) => void;
  /** Has the browser keep it now. @returns whether it does */
  readonly keep: () => boolean;
  /** What was typed is not wanted any more. */
  readonly discard: () => void;
}

/** Keeping a large draft at each letter would be felt. */
const keepAfterMs = 500;

export function useDraft(keptUnder: string, first: Stored): Draft {
  const name = draftName + keptUnder;
  const put = (kept: Kept | undefined): boolean => keepFor('browser', name, kept);
  const begun = useMemo(() => (readKept('browser', name) as Kept | null) ?? takenOver(name), []);
  // Undo ends with what was brought back: a key that is held would lose it. To discard it is a step as any other.
  const [history, setHistory] = useState<History<Model>>(() => {
    const before = historyOf(begun === null ? first.content : begun.model);
    return first.from === undefined ? before : edited(before, first.from.content);
  });
  // Whoever changed it since the draft was begun is noticed by the draft's own tag.
  const [stored, setStored] = useState(
    begun === null || begun.tag === first.tag ? first : { ...first, tag: begun.tag, begun: begun.begun ?? null },
  );
  const [isKept, setKept] = useState(true);
  const isDiscarded = useRef(false);
  const changedAt = useRef(begun?.at ?? 0);
  const latest = useRef(stored);
  const model = history.present;
  const isDirty = model !== stored.content;
  const { isShared, isElsewhere } = useElsewhere(name, model, isDirty);
  const { left, leave, drop } = useLeft(name);
  // Effects end some time after a drawing: by then it may have been stored, and the draft's tag would be told of one's own save.
  const keep = (): boolean => {
    if (isDiscarded.current || latest.current !== stored) return true;
    const kept = { model, tag: stored.tag, at: changedAt.current };
    const base = stored.begun === undefined ? stored.content : stored.begun;
    return (base !== null && put({ ...kept, begun: base })) || put(kept);
  };
  useEffect(() => {
    if (!isDirty) {
      put(undefined);
      return;
    }
    if (model !== begun?.model) changedAt.current = Date.now();
    const timer = setTimeout(() => setKept(keep()), keepAfterMs);
    return () => clearTimeout(timer);
    // Whoever stays keeps it again: the tab that has gone may have been the last to do so.
  }, [model, isDirty, stored, isElsewhere]);
  useListener('pagehide', () => {
    if (!isDirty) return;
    if (!isShared) keep();
    // What the browser keeps is the other tab's: only what was changed here is left beside it.
    else if (model !== begun?.model && !isDiscarded.current) {
      const base = begun?.model ?? stored.begun ?? stored.content;
      leave({ model, tag: stored.tag, begun: base, at: changedAt.current });
      if (!isElsewhere) put(undefined);
    }
  });
  return {
    model,
    stored,
    isDirty,
    isKept,
    isElsewhere,
    left: left === null || isSame(left.model, model) ? null : left,
    dropLeft: drop,
    broughtBackFrom: begun !== null && isDirty && model === begun.model ? new Date(begun.at) : null,
    begunFrom: isDirty && model === first.from?.content ? first.from.version : null,
    edit: (change, step = null) => setHistory((before) => edited(before, change(before.present), step)),
    abandon: (step) => setHistory((before) => abandoned(before, step)),
    before: history.past.at(-1) ?? null,
    after: history.future[0] ?? null,
    undo: () => setHistory(undone),
    redo: () => setHistory(redone),
    settle(next) {
      // At once: whoever leaves as soon as it is stored takes the effects of the next drawing away.
      latest.current = next;
      put(undefined);
      setStored(next);
    },
    keep,
    discard() {
      // Until the page is another one, it still has the draft.
      isDiscarded.current = true;
      put(undefined);
    },
  };
}
