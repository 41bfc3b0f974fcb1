import { useState } from 'preact/hooks';
import { Tick, toggled } from '../parts/entries.js';
import type { Column } from '../parts/table.js';

/** Tests in a dialog, each with a tick that can be taken away: those that are left, and the column that has the ticks. */
export function useTicked<Test extends { readonly name: string }>(
  tests: readonly Test[],
): { readonly chosen: readonly Test[]; readonly column: Column<Test> } {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const column: Column<Test> = [
    'Test',
    ({ name }, index) => (
      <Tick
        name={<span class="wrapped">{name}</span>}
        checked={!left.has(index)}
        onChange={() => setLeft(toggled(left, index))}
      />
    ),
    'wrapped',
  ];
  return { chosen: tests.filter((_, index) => !left.has(index)), column };
}
