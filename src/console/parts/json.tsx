import { formatJson } from '../api/exactJson.js';

/** Longer texts are cut: a browser would stand still. */
const maxShown = 200_000;

/** A value as JSON, to be read and copied. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = formatJson(value);
  return (
    <pre class="json" tabIndex={0} role="group" aria-label={label}>
      {text.length > maxShown ? `${text.slice(0, maxShown)}\n… ${text.length - maxShown} more characters` : text}
    </pre>
  );
}
