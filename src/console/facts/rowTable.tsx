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
  const columns: readonly (readonly [string | null, Field])[] =
    item.kind === 'object' ? [...item.fields] : [[null, item]];
  const name = nameOf(path);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={`Rows of ${name}`}>
      <table aria-label={`Rows of ${name}`}>
        <thead>
          <tr>
            <th scope="col">Row</th>
            {columns.map(([column, { isRequired }]) => (
              <th scope="col" key={column}>
                {column ?? 'Value'}
                {column !== null && isRequired && ' *'}
              </th>
            ))}
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{index + 1}</th>
              {columns.map(([column, field]) => (
                <td key={column}>
                  <Cell
                    at={column === null ? [...path, index] : [...path, index, column]}
                    {...{ column, field, row, onPut }}
                  />
                </td>
              ))}
              <td>
                <RemoveRow name={nameOf([...path, index])} onRemove={() => onRemove(index)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly at: Path;
  readonly column: string | null;
  readonly field: Field;
  readonly row: unknown;
  readonly onPut: Put;
}

function Cell({ at, column, field, row, onPut }: CellProps) {
  const value = column === null ? row : isObject(row) ? row[column] : undefined;
  // A single value that is emptied keeps its place in the list.
  const put = (next: unknown): void => onPut(at, column === null ? (next ?? null) : next);
  return <CellControl name={nameOf(at)} field={field} value={value} onChange={put} />;
}

export const RemoveRow = ({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) => (
  <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
    Remove
  </button>
);
