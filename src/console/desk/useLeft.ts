import { useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import { keep, readKept } from '../parts/kept.js';
import { useListener } from '../parts/useListener.js';

/** Changes of a tab that was closed while another one changed the same decision. */
export interface Left {
  readonly model: Model;
  /** What they were begun from. */
  readonly begun: Model;
}

/**
 * The browser keeps one draft of a decision; what a closed tab had beside it is kept until somebody takes or drops it.
 * @param draft the name under which the draft is kept
 */
export function useLeft(draft: string) {
  const name = `${draft} left`;
  const read = (): Left | null => readKept('browser', name) as Left | null;
  const [left, setLeft] = useState(read);
  useListener('storage', ({ key }) => {
    if (key === name) setLeft(read());
  });
  return {
    left,
    /** This tab is closed. */
    leave: (own: Left): boolean => keep('browser', name, own),
    drop: (): void => {
      keep('browser', name, undefined);
      setLeft(null);
    },
  };
}
