import { useState } from 'preact/hooks';
import { usePaused } from '../../parts/usePaused.js';
import { kindsOf } from '../readColumn.js';
import type { Sheet } from '../sheet.js';

/** A large table is not read at each letter. */
const pauseMs = 200;

/** The kinds of a table's columns, once nobody has typed for a moment. */
export function useKinds(sheet: Sheet): readonly (string | null)[] {
  const [kinds, setKinds] = useState<readonly (string | null)[]>([]);
  usePaused(pauseMs, () => setKinds(kindsOf(sheet)), [sheet.content]);
  return kinds;
}
