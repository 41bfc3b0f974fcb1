import { useState } from 'preact/hooks';
import { shownValue, typedValue } from '../facts/values.js';
import { Choice } from '../parts/entries.js';
import { useTyped } from '../parts/useTyped.js';
import { choicesOf, exampleOf, typeNames, typeOf, withExample, withKeyword, withType, type Schema } from './edits.js';

interface NameInputProps {
  readonly name: string;
  readonly taken: readonly string[];
  readonly onRename: (name: string) => void;
}

/** A name counts once it is complete: half of one may be another field's. */
export function NameInput({ name, taken, onRename }: NameInputProps) {
  const [fault, setFault] = useState<string | null>(null);
  const typed = useTyped(name, (text) => {
    const next = text.trim();
    const isTaken = next !== name && taken.includes(next);
    setFault(next === '' ? 'A field needs a name.' : isTaken ? `There is a field ${next} already.` : null);
    if (next !== '' && !isTaken) onRename(next);
  });
  return (
    <label>
      Name
      <input class="schema-name" {...typed} spellcheck={false} aria-invalid={fault !== null} />
      {fault !== null && (
        <span role="alert" class="bad small">
          {fault}
        </span>
      )}
    </label>
  );
}

export interface SchemaProps {
  readonly schema: Schema;
  readonly onChange: (schema: Schema) => void;
}

export function TypeChoice({ label, schema, onChange }: SchemaProps & { readonly label: string }) {
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
export function Details({ schema, onChange }: SchemaProps) {
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
  const choices = useTyped(
    choicesOf(schema)
      .map((choice) => shownValue(kind, choice))
      .join('\n'),
    (text) => {
      const values = text
        .split('\n')
        .map(valueOf)
        .filter((choice) => choice !== undefined);
      onChange(withKeyword(schema, 'enum', values.length === 0 ? undefined : values));
    },
  );
  const example = useTyped(shownValue(kind, exampleOf(schema)), (text) => onChange(withExample(schema, valueOf(text))));
  const about = useTyped(typeof description === 'string' ? description : '', (text) =>
    onChange(withKeyword(schema, 'description', text.trim() || undefined)),
  );
  return (
    <div class="schema-details">
      {(kind === 'text' || kind === 'number') && isSingle && (
        <label>
          Choices, one a line
          <textarea rows={Math.min(6, Math.max(1, choicesOf(schema).length))} {...choices} />
        </label>
      )}
      {isSingle && (
        <label>
          Example
          <input {...example} spellcheck={false} />
        </label>
      )}
      <label>
        Description
        <input {...about} />
      </label>
    </div>
  );
}
