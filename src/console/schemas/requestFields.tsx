import { useMemo, useState } from 'preact/hooks';
import { formatJson, jsonOr } from '../api/exactJson.js';
import { TextField, Tick } from '../parts/entries.js';
import { FieldsOf } from './fieldsOf.js';
import { typeOf, type Schema } from './edits.js';
import { isObject, membersOf } from '../graph/fields.js';

interface RequestFieldsProps {
  /** The `schema` of a request or response node: JSON text, as models have it, or an object; absent where there is none. */
  readonly schema: unknown;
  /** Of a request without one: the schema of the fields that the model uses. */
  readonly used: unknown;
  /** Text, or an object where it was one. */
  readonly onChange: (schema: unknown) => void;
}

/** What a request holds, as a form: it makes the schema of which fact forms, completion and checks are made. */
export function RequestFields({ schema, used, onChange }: RequestFieldsProps) {
  const isText = !isObject(schema);
  const text = isText ? (typeof schema === 'string' ? schema : '') : formatJson(schema);
  const [asJson, setAsJson] = useState(false);
  // What is no schema yet stays in the text box until it is one.
  const [draft, setDraft] = useState<string | null>(null);
  const parsed = useMemo(() => schemaOf(draft ?? text), [draft, text]);
  const hasForm = parsed !== null && (typeOf(parsed) === 'group' || Object.keys(parsed).length === 0);
  const put = (next: Schema): void => {
    const whole = { type: 'object', ...next };
    setDraft(null);
    onChange(isText ? formatJson(whole) : whole);
  };
  const type = (typed: string): void => {
    setDraft(typed);
    const found = schemaOf(typed);
    if (found !== null) onChange(isText ? typed : found);
  };
  return (
    <div class="fact-input">
      <Tick name="JSON" isSwitch checked={asJson} onChange={setAsJson} />
      {asJson || !hasForm ? (
        <>
          {!hasForm && <p class="soft small">This schema is not one of named fields, and is edited as JSON.</p>}
          <TextField
            name="Schema"
            rows={14}
            spellcheck={false}
            value={draft ?? text}
            aria-invalid={parsed === null}
            onChange={type}
          />
          {parsed === null && (
            <p role="alert" class="failure">
              This is no JSON Schema yet; the one before it stays.
            </p>
          )}
        </>
      ) : (
        <FieldsOf schema={parsed} used={membersOf(used)} path="" onChange={put} />
      )}
    </div>
  );
}

/** Null where the text is no JSON object; without text, a schema without fields. */
function schemaOf(text: string): Schema | null {
  const value = text.trim() === '' ? {} : jsonOr(text, null);
  return isObject(value) ? value : null;
}
