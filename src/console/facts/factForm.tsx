import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { membersOf, isObject } from '../graph/fields.js';
import { LabelledControl, CellControl } from './control.js';
import { fieldOf, noField, type Field } from './fields.js';
import { isNumber, nameOf, withValue, type Path } from './values.js';
import { Button } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';

/** Members that the schema does not name: where else they are known from, and what is said of those that nobody knows. */
export const Strangers = createContext<{ readonly known: Field; readonly note: string }>({ known: noField, note: '' });

interface FactFormProps {
  /** An object. */
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A fact as a form: a control for each field, by its path. */
export const FactForm = ({ field, value, onChange }: FactFormProps) => (
  <Members path={[]} field={field} value={value} onPut={(path, next) => onChange(withValue(value, path, next))} />
);

interface PartProps {
  readonly path: Path;
  readonly field: Field;
  readonly value: unknown;
  readonly onPut: Put;
}

/** The members of an object, those that the schema does not name last. */
function Members({ path, field, value, onPut }: PartProps) {
  const members = membersOf(value);
  const others = Object.keys(members).filter((name) => !field.fields.has(name));
  const { known, note } = useContext(Strangers);
  const around = fieldAt(known, path);
  const stranger = (name: string): Field => {
    const found = around?.fields.get(name);
    return { ...(found ?? strange(members[name], note)), isRequired: false };
  };
  return (
    <>
      {[...field.fields].map(([name, member]) => (
        <Part key={name} path={[...path, name]} field={member} value={members[name]} onPut={onPut} />
      ))}
      {others.map((name) => (
        <Part key={name} path={[...path, name]} field={stranger(name)} value={members[name]} onPut={onPut} />
      ))}
    </>
  );
}

function Part(props: PartProps) {
  const { path, field, value, onPut } = props;
  const name = nameOf(path);
  if (field.kind === 'list') return <Rows {...props} />;
  if (field.kind !== 'object') {
    return <LabelledControl name={name} field={field} value={value} onChange={(next) => onPut(path, next)} />;
  }
  return (
    <fieldset class="fact-group">
      <legend>{name}</legend>
      {field.description !== '' && <p class="soft small">{field.description}</p>}
      <Members {...props} />
    </fieldset>
  );
}

/** More would slow the page; the rest is in the JSON. */
const maxRows = 100;

/** A list: a table where its items are flat, else a form for each item. */
function Rows({ path, field, value, onPut }: PartProps) {
  const adding = useRef<HTMLButtonElement>(null);
  const isAdded = useRef(false);
  const { item } = field;
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  // Who adds a row writes in it next.
  useLayoutEffect(() => {
    const added = isAdded.current ? adding.current?.previousElementSibling : null;
    isAdded.current = false;
    const row = added?.querySelector('tbody tr:last-child') ?? added;
    row?.querySelector<HTMLElement>('input, select')?.focus();
  }, [rows.length]);
  if (item === null) return null;
  const shown = rows.slice(0, maxRows);
  const name = nameOf(path);
  const blank: unknown = item.kind === 'object' ? {} : item.kind === 'list' ? [] : null;
  const remove = (index: number): void => {
    onPut([...path, index], undefined);
    // The button that had the focus is gone.
    adding.current?.focus();
  };
  return (
    <fieldset class="fact-group">
      <legend>{name}</legend>
      {field.description !== '' && <p class="soft small">{field.description}</p>}
      {shown.length > 0 && isFlat(item, shown) ? (
        <RowTable path={path} item={item} rows={shown} onPut={onPut} onRemove={remove} />
      ) : (
        shown.map((row, index) => (
          <div key={index} class="fact-item">
            <Part path={[...path, index]} field={item} value={row} onPut={onPut} />
            <RemoveRow name={nameOf([...path, index])} onRemove={() => remove(index)} />
          </div>
        ))
      )}
      {rows.length > maxRows && <p class="soft small">and {rows.length - maxRows} more, which are in the JSON</p>}
      <button
        type="button"
        ref={adding}
        aria-label={`Add row to ${name}`}
        onClick={() => {
          isAdded.current = rows.length < maxRows;
          onPut(path, [...rows, blank]);
        }}
      >
        Add row
      </button>
    </fieldset>
  );
}

const fieldAt = (known: Field, path: Path): Field | null | undefined =>
  path.reduce<Field | null | undefined>(
    (field, step) => (typeof step === 'number' ? field?.item : field?.fields.get(step)),
    known,
  );

/** What nobody knows is asked for as what it is. */
function strange(value: unknown, description: string): Field {
  const type = isNumber(value) ? 'number' : ['string', 'boolean'].find((each) => each === typeof value);
  return fieldOf({ type, description });
}

/** Puts another value at a place of the fact; undefined takes it away. */
type Put = (path: Path, value: unknown) => void;

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
function isFlat(item: Field, rows: readonly unknown[]): boolean {
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
function RowTable({ path, item, rows, onPut, onRemove }: RowTableProps) {
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
    [
      'Actions',
      (_row, index) => <RemoveRow name={nameOf([...path, index])} onRemove={() => onRemove(index)} isShort />,
      'narrow',
      <span class="visually-hidden">Actions</span>,
    ],
  ];
  return <Table label={`Rows of ${nameOf(path)}`} columns={columns} rows={rows} />;
}

interface RemoveRowProps {
  readonly name: string;
  readonly onRemove: () => void;
  /** Where there is no room for a word. */
  readonly isShort?: boolean;
}

const RemoveRow = ({ name, onRemove, isShort = false }: RemoveRowProps) => (
  <Button
    name={isShort ? '✕' : 'Remove'}
    class="quiet"
    aria-label={`Remove ${name}`}
    title="Remove"
    onClick={onRemove}
  />
);
