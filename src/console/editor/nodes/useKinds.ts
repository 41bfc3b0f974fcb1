import { useState } from 'preact/hooks';
import type { Fields } from '../../graph/fields.js';
import { usePaused } from '../../parts/usePaused.js';
import { kindsOf } from '../repairs.js';
import type { Sheet } from '../sheet.js';

/** A large table is not read at each letter. */
const pauseMs = 200;
const none: readonly (string | null)[] = [];

/** The kinds of a table's columns, once nobody has typed for a moment. */
export function useKinds(content: Fields, sheet: Sheet | undefined): readonly (string | null)[] {
  const [kinds, setKinds] = useState(none);
  usePaused(pauseMs, () => setKinds(sheet === undefined ? none : kindsOf(content, sheet)), [content]);
  return kinds;
}
