import { useEffect, useRef, useState } from 'preact/hooks';
import { Tick, Choice } from '../parts/entries.js';
import { TypedField } from '../parts/typedField.js';
import { Button, count } from '../parts/small.js';
import {
  fieldsOf,
  freshFieldName,
  itemOf,
  typeOf,
  withFields,
  withKeyword,
  type NamedField,
  type Schema,
  choicesOf,
  exampleOf,
  typeNames,
  withExample,
  withType,
} from './edits.js';
import { shownValue, typedValue } from '../facts/values.js';

interface FieldsOfProps {
  /** Of a group. */
  readonly schema: Schema;
  /** Where it names none yet: of which fields there are, all the same. */
  readonly used?: Schema;
  /** Of the group in the fact; empty for the fact itself. */
  readonly path: string;
  readonly onChange: (schema: Schema) => void;
}

/** The fields of a group, and a button for one more. */
export function FieldsOf({ schema, used = {}, path, onChange }: FieldsOfProps) {
  const fields = fieldsOf(schema);
  const unnamed = fields.length === 0 ? fieldsOf(used) : [];
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
      {unnamed.length > 0 && (
        <Button
          name={`Take the ${count(unnamed.length, 'field')} that the model uses`}
          class="primary"
          onClick={() => put(unnamed)}
        />
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
          // Without what the model uses, all of that would be told to lead nowhere.
          const before = [...unnamed, ...fields];
          put([...before, { name: freshFieldName(before), schema: { type: 'string' }, isRequired: false }]);
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

interface NameInputProps {
  readonly name: string;
  readonly taken: readonly string[];
  readonly onRename: (name: string) => void;
}

/** A name counts once it is complete: half of one may be another field's. */
function NameInput({ name, taken, onRename }: NameInputProps) {
  const [fault, setFault] = useState<string | null>(null);
  const rename = (text: string): void => {
    const next = text.trim();
    const isTaken = next !== name && taken.includes(next);
    setFault(next === '' ? 'A field needs a name.' : isTaken ? `There is a field ${next} already.` : null);
    if (next !== '' && !isTaken) onRename(next);
  };
  return (
    <>
      <TypedField
        name="Name"
        class="schema-name"
        value={name}
        onComplete={rename}
        spellcheck={false}
        aria-invalid={fault !== null}
      />
      {fault !== null && (
        <span role="alert" class="bad small">
          {fault}
        </span>
      )}
    </>
  );
}

interface SchemaProps {
  readonly schema: Schema;
  readonly onChange: (schema: Schema) => void;
}

function TypeChoice({ label, schema, onChange }: SchemaProps & { readonly label: string }) {
  const type = typeOf(schema);
  return (
    <Choice
      name={label}
      value={type ?? ''}
      options={[
        ...(type === null ? [['', 'as its JSON says'] as const] : []),
        ...typeNames.map((name) => [name, name] as const),
      ]}
      onChange={(chosen) => chosen !== '' && onChange(withType(schema, chosen))}
    />
  );
}

/** Choices, example and description, as far as the type has them. */
function Details({ schema, onChange }: SchemaProps) {
  const type = typeOf(schema);
  const isSingle = type !== 'group' && type !== 'list' && type !== null;
  const kind =
    type === 'number' || type === 'whole number'
      ? 'number'
      : type === 'anything' || type === 'yes or no'
        ? 'any'
        : 'text';
  const valueOf = (text: string): unknown => typedValue(kind, text.trim());
  const description = schema['description'];
  const choices = choicesOf(schema);
  const choose = (text: string): void => {
    const values = text
      .split('\n')
      .map(valueOf)
      .filter((choice) => choice !== undefined);
    onChange(withKeyword(schema, 'enum', values.length === 0 ? undefined : values));
  };
  return (
    <div class="schema-details">
      {(kind === 'text' || kind === 'number') && isSingle && (
        <TypedField
          name="Choices, one a line"
          value={choices.map((choice) => shownValue(kind, choice)).join('\n')}
          onComplete={choose}
          rows={Math.min(6, Math.max(1, choices.length))}
        />
      )}
      {isSingle && (
        <TypedField
          name="Example"
          value={shownValue(kind, exampleOf(schema))}
          onComplete={(text) => onChange(withExample(schema, valueOf(text)))}
          spellcheck={false}
        />
      )}
      <TypedField
        name="Description"
        value={typeof description === 'string' ? description : ''}
        onComplete={(text) => onChange(withKeyword(schema, 'description', text.trim() || undefined))}
      />
    </div>
  );
}
