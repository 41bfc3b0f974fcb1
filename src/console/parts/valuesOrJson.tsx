import { useState } from 'preact/hooks';
import { Json } from './json.js';
import { Values } from './values.js';

/** A value as fields; the JSON of it, to be copied, where somebody asks for it. */
export function ValuesOrJson({ value, label }: { readonly value: unknown; readonly label: string }) {
  const [isJson, setJson] = useState(false);
  return (
    <>
      <Values value={value} label={label} />
      <details onToggle={({ currentTarget }) => setJson(currentTarget.open)}>
        <summary class="soft small">As JSON</summary>
        {isJson && <Json value={value} label="JSON" />}
      </details>
    </>
  );
}
