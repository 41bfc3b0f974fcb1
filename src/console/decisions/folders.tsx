import { useMemo, useState } from 'preact/hooks';
import type { Decision } from '../api/types.js';
import { linesOf, type Line } from './tree.js';

export interface Folders {
  readonly lines: readonly Line[];
  readonly isClosed: (path: string) => boolean;
  readonly toggle: (path: string) => void;
}

/**
 * Decisions in folders that open and close.
 * @param sought what keys are searched for: who searches wants to see what is found, wherever it lies
 */
export function useFolders(decisions: readonly Decision[], sought: string): Folders {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(
    () => linesOf(decisions, sought === '' ? closed : new Set()),
    [decisions, sought === '', closed],
  );
  const toggle = (path: string): void =>
    setClosed((before) => new Set(before.has(path) ? [...before].filter((each) => each !== path) : [...before, path]));
  return { lines, isClosed: (path) => closed.has(path), toggle };
}

/** Decisions whose key has a text in it. */
export function useFound(decisions: readonly Decision[], sought: string): readonly Decision[] {
  return useMemo(() => {
    const words = sought.toLowerCase();
    return decisions.filter(({ key }) => key.toLowerCase().includes(words));
  }, [decisions, sought]);
}

/** Deeper ones stand as far in as the twelfth: the rest of the line must be found. */
export const indentOf = (depth: number): { readonly paddingLeft: string } => ({
  paddingLeft: `${Math.min(depth, 12) * 18 + 8}px`,
});

interface FolderRowProps {
  readonly line: Extract<Line, { kind: 'folder' }>;
  readonly index: number;
  readonly columns: number;
  readonly folders: Folders;
}

export const FolderRow = ({ line, index, columns, folders: { isClosed, toggle } }: FolderRowProps) => (
  <tr aria-rowindex={index + 2} class="folder">
    <th scope="rowgroup" colSpan={columns} style={indentOf(line.depth)}>
      <button type="button" class="quiet" aria-expanded={!isClosed(line.path)} onClick={() => toggle(line.path)}>
        <span aria-hidden="true">{isClosed(line.path) ? '▸' : '▾'}</span> {line.name}/
      </button>{' '}
      <span class="soft small">{line.size}</span>
    </th>
  </tr>
);
