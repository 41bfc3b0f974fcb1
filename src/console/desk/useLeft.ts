import { useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import { newId } from '../editor/ids.js';
import { keep, namesKept, readKept } from '../parts/kept.js';
import { useListener } from '../parts/useListener.js';

/** Changes of a tab that was closed while another one showed the same decision: as a draft is kept. */
export interface Left {
  readonly model: Model;
  readonly tag: string | null;
  /** What they were begun from. */
  readonly begun: Model;
  readonly at: number;
}

const beginningOf = (draft: string): string => `${draft} left `;

const firstOf = (draft: string): string => namesKept(beginningOf(draft))[0] ?? beginningOf(draft);

const read = (draft: string): Left | null => readKept('browser', firstOf(draft)) as Left | null;

/** What a closed tab had, for one that has nothing of its own, as after it was loaded anew; it is kept no more under that name. */
export function takenOver(draft: string): Left | null {
  const left = read(draft);
  keep('browser', firstOf(draft), undefined);
  return left;
}

/**
 * The browser keeps one draft of a decision; what closed tabs had beside it is kept until somebody takes or drops it, one after the other.
 * @param draft the name under which the draft is kept
 */
export function useLeft(draft: string) {
  const [left, setLeft] = useState(() => read(draft));
  useListener('storage', ({ key }) => {
    if (key?.startsWith(beginningOf(draft)) === true) setLeft(read(draft));
  });
  return {
    left,
    /** This tab is closed. */
    leave: (mine: Left): boolean => keep('browser', beginningOf(draft) + newId(), mine),
    /** It was taken, or nobody wants it. */
    drop: (): void => {
      keep('browser', firstOf(draft), undefined);
      setLeft(read(draft));
    },
  };
}
