import { Button } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { CellControl } from './control.js';
import type { Field } from './fields.js';
import { nameOf, type Path } from './values.js';
import { isObject } from '../graph/fields.js';

/** Puts another value at a place of the fact; undefined takes it away. */
export type Put = (path: Path, value: unknown) => void;

interface RowTableProps {
  /** Of the list. */
  readonly path: Path;
  readonly item: Field;
  readonly rows: readonly unknown[];
  readonly onPut: Put;
  readonly onRemove: (index: number) => void;
}

const maxColumns = 12;

/** Whether a table shows all that is in these rows. */
export function isFlat(item: Field, rows: readonly unknown[]): boolean {
  if (item.kind === 'list') return false;
  if (item.kind !== 'object') return true;
  const members = [...item.fields.values()];
  return (
    members.length <= maxColumns &&
    members.every(({ kind }) => kind !== 'object' && kind !== 'list') &&
    rows.every((row) => isObject(row) && Object.keys(row).every((name) => item.fields.has(name)))
  );
}

/** A list whose items are single values or flat objects. */
export function RowTable({ path, item, rows, onPut, onRemove }: RowTableProps) {
  const fields: readonly (readonly [string | null, Field])[] =
    item.kind === 'object' ? [...item.fields] : [[null, item]];
  const columns: readonly Column<unknown>[] = [
    ['Row', (_row, index) => index + 1],
    ...fields.map(([name, field]): Column<unknown> => [
      name === null ? 'Value' : `${name}${field.isRequired ? ' *' : ''}`,
      (row, index) => (
        <CellControl
          name={nameOf(name === null ? [...path, index] : [...path, index, name])}
          field={field}
          value={name === null ? row : isObject(row) ? row[name] : undefined}
          // A single value that is emptied keeps its place in the list.
          onChange={(next) =>
            name === null ? onPut([...path, index], next ?? null) : onPut([...path, index, name], next)
          }
        />
      ),
    ]),
    ['Actions', (_row, index) => <RemoveRow name={nameOf([...path, index])} onRemove={() => onRemove(index)} />],
  ];
  return <Table label={`Rows of ${nameOf(path)}`} columns={columns} rows={rows} />;
}

export const RemoveRow = ({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) => (
  <Button name="Remove" class="quiet" aria-label={`Remove ${name}`} onClick={onRemove} />
);
