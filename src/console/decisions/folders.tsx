import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Decision } from '../api/types.js';
import { toggled } from '../parts/entries.js';
import { Button } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { Link } from '../shell/address.js';
import { linesOf, type Line } from './tree.js';

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

interface DecisionTreeProps {
  readonly label: string;
  readonly decisions: readonly Decision[];
  readonly sought: string;
  /** Beside the decisions. */
  readonly columns: readonly Column<Decision>[];
}

/** A table of decisions, in the folders of their keys. */
export function DecisionTree({ label, decisions, sought, columns }: DecisionTreeProps) {
  const { lines, isClosed, toggle } = useFolders(decisions, sought);
  return (
    <Table<Line>
      label={label}
      rows={lines}
      columns={[
        ['Decision', (line) => <Indented {...line}>{line.kind === 'decision' && <Named {...line} />}</Indented>],
        ...columns.map(([name, cell, ...rest]): Column<Line> => [
          name,
          (line, index) => line.kind === 'decision' && cell(line.decision, index),
          ...rest,
        ]),
      ]}
      headingOf={(line) =>
        line.kind === 'folder' ? (
          <Indented {...line}>
            <Button class="quiet" aria-expanded={!isClosed(line.path)} onClick={() => toggle(line.path)}>
              <span aria-hidden="true">{isClosed(line.path) ? '▸' : '▾'}</span> {line.name}/
            </Button>{' '}
            <span class="soft small">{line.size}</span>
          </Indented>
        ) : null
      }
    />
  );
}

const Named = ({ name, decision: { id, key } }: Extract<Line, { kind: 'decision' }>) => (
  <Link name={name} to={`/decisions/${id}`} title={key} />
);

/** Deeper ones stand as far in as the twelfth: the rest of the line must be found. */
const Indented = ({ depth, children }: { readonly depth: number; readonly children: ComponentChildren }) => (
  <span style={{ paddingLeft: `${Math.min(depth, 12) * 18}px` }}>{children}</span>
);
