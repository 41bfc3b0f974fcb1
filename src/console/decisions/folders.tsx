import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Decision } from '../api/types.js';
import { toggled } from '../parts/entries.js';
import { Button } from '../parts/small.js';
import { VirtualRows } from '../parts/virtualRows.js';
import { Link } from '../shell/address.js';
import { linesOf } from './tree.js';

/**
 * Decisions in folders that open and close.
 * @param sought what keys are searched for: who searches wants to see what is found, wherever it lies
 */
export function useFolders(decisions: readonly Decision[], sought: string) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(
    () => linesOf(decisions, sought === '' ? closed : new Set()),
    [decisions, sought === '', closed],
  );
  return {
    lines,
    isClosed: (path: string) => closed.has(path),
    toggle: (path: string) => setClosed((before) => toggled(before, path)),
  };
}

/** Decisions whose key has a text in it. */
export function useFound(decisions: readonly Decision[], sought: string): readonly Decision[] {
  return useMemo(() => {
    const words = sought.toLowerCase();
    return decisions.filter(({ key }) => key.toLowerCase().includes(words));
  }, [decisions, sought]);
}

/** Beside the decisions: a column's key, what stands in its head, and what in the cell of a decision. */
export type TreeColumn = readonly [
  key: string,
  head: ComponentChildren,
  cell: (decision: Decision) => ComponentChildren,
  kind?: 'deployed',
];

interface DecisionTreeProps {
  readonly label: string;
  readonly decisions: readonly Decision[];
  readonly sought: string;
  readonly columns: readonly TreeColumn[];
}

/** A table of decisions, in the folders of their keys. */
export function DecisionTree({ label, decisions, sought, columns }: DecisionTreeProps) {
  const { lines, isClosed, toggle } = useFolders(decisions, sought);
  return (
    <VirtualRows
      label={label}
      rows={lines}
      columns={columns.length + 1}
      head={
        <tr>
          <th scope="col">Decision</th>
          {columns.map(([key, head]) => (
            <th scope="col" key={key}>
              {head}
            </th>
          ))}
        </tr>
      }
      render={(line, index) =>
        line.kind === 'folder' ? (
          <tr key={`${line.path}/`} aria-rowindex={index + 2} class="folder">
            <th scope="rowgroup" colSpan={columns.length + 1} style={indentOf(line.depth)}>
              <Button class="quiet" aria-expanded={!isClosed(line.path)} onClick={() => toggle(line.path)}>
                <span aria-hidden="true">{isClosed(line.path) ? '▸' : '▾'}</span> {line.name}/
              </Button>{' '}
              <span class="soft small">{line.size}</span>
            </th>
          </tr>
        ) : (
          <tr key={line.decision.id} aria-rowindex={index + 2}>
            <th scope="row" style={indentOf(line.depth)}>
              <Link name={line.name} to={`/decisions/${line.decision.id}`} title={line.decision.key} />
            </th>
            {columns.map(([key, , cell, kind]) => (
              <td key={key} class={kind}>
                {cell(line.decision)}
              </td>
            ))}
          </tr>
        )
      }
    />
  );
}

/** Deeper ones stand as far in as the twelfth: the rest of the line must be found. */
const indentOf = (depth: number): { readonly paddingLeft: string } => ({
  paddingLeft: `${Math.min(depth, 12) * 18 + 8}px`,
});
