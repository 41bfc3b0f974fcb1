import { useRef } from 'preact/hooks';
import type { Fields } from '../../graph/fields.js';

interface OtherEdits {
  /** Another number whenever the content was changed elsewhere: by a repair, an import, or somebody who takes something back. */
  readonly round: number;
  /** What is written here becomes this content. */
  readonly isOwn: (next: Fields) => void;
}

/** Tells edits that are made in a sheet from those that come to it: the cells of these may want wider columns at once. */
export function useOtherEdits(content: Fields): OtherEdits {
  const own = useRef(content);
  const round = useRef(0);
  if (own.current !== content) {
    own.current = content;
    round.current++;
  }
  return {
    round: round.current,
    isOwn: (next) => {
      own.current = next;
    },
  };
}
