import { useEffect, useRef, useState } from 'preact/hooks';
import { Tick } from '../parts/entries.js';
import { Button } from '../parts/small.js';
import { fieldsOf, freshName, itemOf, typeOf, withFields, withKeyword, type NamedField, type Schema } from './edits.js';
import { Details, NameInput, TypeChoice, type SchemaProps } from './fieldParts.js';

interface FieldsOfProps {
  /** Of a group. */
  readonly schema: Schema;
  /** Of the group in the fact; empty for the fact itself. */
  readonly path: string;
  readonly onChange: (schema: Schema) => void;
}

/** The fields of a group, and a button for one more. */
export function FieldsOf({ schema, path, onChange }: FieldsOfProps) {
  const fields = fieldsOf(schema);
  const list = useRef<HTMLDivElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    if (!isNew) return;
    const names = list.current?.querySelectorAll<HTMLInputElement>(':scope > .schema-field > .schema-row .schema-name');
    const last = names?.item(names.length - 1);
    last?.focus();
    last?.select();
    setNew(false);
  }, [isNew]);
  const put = (next: readonly NamedField[]): void => onChange(withFields(schema, next));
  const where = path === '' ? '' : ` to ${path}`;
  return (
    <div class="schema-fields" ref={list}>
      {fields.length === 0 && path === '' && (
        <p class="soft">No field is named yet. What is named here becomes a form wherever a fact is typed.</p>
      )}
      {fields.map((field, index) => (
        <FieldRow
          key={index}
          field={field}
          path={path}
          taken={fields.map(({ name }) => name)}
          onChange={(next) => put(fields.map((each, at) => (at === index ? next : each)))}
          onMove={index === 0 ? null : () => put(swapped(fields, index))}
          onRemove={() => {
            put(fields.filter((_, at) => at !== index));
            adding.current?.focus();
          }}
        />
      ))}
      <button
        type="button"
        ref={adding}
        aria-label={`Add field${where}`}
        onClick={() => {
          put([...fields, { name: freshName(fields), schema: { type: 'string' }, isRequired: false }]);
          setNew(true);
        }}
      >
        Add field
      </button>
    </div>
  );
}

/** With the one before it behind it. */
const swapped = (fields: readonly NamedField[], index: number): readonly NamedField[] =>
  fields.map((field, at) => (at === index - 1 ? fields[index] : at === index ? fields[index - 1] : field) ?? field);

interface FieldRowProps {
  readonly field: NamedField;
  /** Of the group that it is in. */
  readonly path: string;
  /** The names of all fields of that group. */
  readonly taken: readonly string[];
  readonly onChange: (field: NamedField) => void;
  /** Puts it before the one above; null for the first. */
  readonly onMove: (() => void) | null;
  readonly onRemove: () => void;
}

function FieldRow({ field, path, taken, onChange, onMove, onRemove }: FieldRowProps) {
  const { name, schema, isRequired } = field;
  const full = path === '' ? name : `${path}.${name}`;
  const put = (next: Schema): void => onChange({ ...field, schema: next });
  return (
    <div class="schema-field" role="group" aria-label={full}>
      <div class="schema-row">
        <NameInput name={name} taken={taken} onRename={(next) => onChange({ ...field, name: next })} />
        <TypeChoice label="Type" schema={schema} onChange={put} />
        <Tick
          name="Required"
          checked={isRequired}
          onChange={(checked) => onChange({ ...field, isRequired: checked })}
        />
        <span class="actions">
          {onMove !== null && <Button name="↑" class="quiet" aria-label={`Move ${full} up`} onClick={onMove} />}
          <Button name="Remove" class="quiet" aria-label={`Remove ${full}`} onClick={onRemove} />
        </span>
      </div>
      <Details schema={schema} onChange={put} />
      <Inner schema={schema} path={full} onChange={put} />
    </div>
  );
}

/** What is within a group, or each item of a list. */
function Inner({ schema, path, onChange }: SchemaProps & { readonly path: string }) {
  const type = typeOf(schema);
  if (type === 'group') return <FieldsOf schema={schema} path={path} onChange={onChange} />;
  if (type !== 'list') return null;
  const item = itemOf(schema);
  const put = (next: Schema): void => onChange(withKeyword(schema, 'items', next));
  return (
    <div class="schema-fields">
      <TypeChoice label="Each item is" schema={item} onChange={put} />
      <Inner schema={item} path={`${path}[]`} onChange={put} />
    </div>
  );
}
