import { useState } from 'preact/hooks';
import { isObject, stepsOf } from '../graph/fields.js';
import { formatJson } from '../api/exactJson.js';

/** More fields than this are looked at as JSON. */
const mostShown = 100;

/** What stands in a value, each with the way to it: `customer.age`, `items 1.price`. */
export function leavesOf(value: unknown, path = ''): readonly { readonly path: string; readonly text: string }[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    // A list of plain values is read as a line.
    if (items.length > 0 && items.every((item) => !isBranch(item)))
      return [{ path, text: items.map(plain).join(', ') }];
    return items.length === 0
      ? [{ path, text: 'none' }]
      : items.flatMap((item, at) => leavesOf(item, `${path} ${at + 1}`.trim()));
  }
  if (!isBranch(value)) return [{ path, text: plain(value) }];
  const members = Object.entries(value as object);
  if (members.length === 0) return [{ path, text: 'nothing' }];
  return members.flatMap(([name, member]) => leavesOf(member, path === '' ? name : `${path}.${name}`));
}

const isBranch = (value: unknown): boolean => Array.isArray(value) || isObject(value);

const plain = (value: unknown): string =>
  value === ''
    ? 'an empty text'
    : typeof value === 'string'
      ? value
      : value === undefined
        ? 'nothing'
        : JSON.stringify(value);

/** A value as a list of fields and what they have: nobody has to read JSON. */
export function Values({ value, label }: { readonly value: unknown; readonly label: string }) {
  const leaves = leavesOf(value);
  // Of what has no fields there is no name, and a word in its place would be read as one.
  if (isObject(value) && Object.keys(value).length === 0) return <p class="soft">nothing</p>;
  return (
    <dl class="values" aria-label={label}>
      {leaves.slice(0, mostShown).map(({ path, text }) => (
        <div key={path}>
          <dt>{path === '' ? 'value' : path}</dt> <dd>{text}</dd>
        </div>
      ))}
      {leaves.length > mostShown && <div class="soft">… and {leaves.length - mostShown} more</div>}
    </dl>
  );
}

/** What a JSON Pointer leads to, as people write it: `/customer/age` is `customer.age`. */
export const placeText = (pointer: string): string => stepsOf(pointer).join('.') || 'all of it';

/** As much of a value as stands in a line of a list. */
export const mostInLine = 8;

/** The same as a text, for the choices of a list. */
export const valuesText = (value: unknown): string =>
  leavesOf(value)
    .slice(0, mostInLine)
    .map(({ path, text }) => `${path} ${text}`.trim())
    .join(', ');

/** The same in a line of text. */
export function ValuesLine({ value }: { readonly value: unknown }) {
  const leaves = leavesOf(value);
  return (
    <span class="values-line">
      {leaves.slice(0, mostInLine).map(({ path, text }) => (
        <span key={path}>
          {path !== '' && <span class="soft">{path}</span>} {text}
        </span>
      ))}
      {leaves.length > mostInLine && <span class="soft">… {leaves.length - mostInLine} more</span>}
    </span>
  );
}

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
