import type { ComponentChildren } from 'preact';
import { useRouter } from '../shell/address.js';
import { useTyped } from './useTyped.js';

interface FiltersProps {
  /** What is filtered. */
  readonly label: string;
  /** Of the query, all that filter. */
  readonly names: readonly string[];
  readonly children: ComponentChildren;
}

/** Filters of a list; what is set stands in the address. */
export function Filters({ label, names, children }: FiltersProps) {
  const { query, setQuery } = useRouter();
  return (
    <form class="filters" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {children}
      {names.some((name) => query.has(name)) && (
        <button type="button" onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, null])))}>
          Clear
        </button>
      )}
    </form>
  );
}

interface FilterProps {
  /** In the query. */
  readonly name: string;
  readonly label: string;
}

function useFilter(name: string): readonly [value: string, set: (value: string) => void] {
  const { query, setQuery } = useRouter();
  return [query.get(name) ?? '', (value) => setQuery({ [name]: value.trim() }, true)];
}

export function TextFilter({ name, label, placeholder = '' }: FilterProps & { readonly placeholder?: string }) {
  const typed = useTyped(...useFilter(name));
  return (
    <label>
      {label}
      <input {...typed} placeholder={placeholder} />
    </label>
  );
}

interface ChoiceFilterProps extends FilterProps {
  readonly options: readonly (readonly [value: string, name: string])[];
}

export function ChoiceFilter({ name, label, options }: ChoiceFilterProps) {
  const [value, set] = useFilter(name);
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        <option value="">any</option>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
        {/* What the address names stays, even where the list does not have it. */}
        {value !== '' && !options.some(([id]) => id === value) && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}

/** A moment, in the reader's own time; the address has it in UTC. */
export function TimeFilter({ name, label, since = false }: FilterProps & { readonly since?: boolean }) {
  const [value, set] = useFilter(name);
  const list = since ? `${name}-since` : undefined;
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={localText(value)}
        {...(list === undefined ? {} : { list })}
        onChange={({ currentTarget }) =>
          set(currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString())
        }
      />
      {list !== undefined && <Since id={list} />}
    </label>
  );
}

/** As the browser's field wants it; empty for what is no time. */
function localText(at: string): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return '';
  const minutes = new Date(ms).getTimezoneOffset();
  return new Date(ms - minutes * 60_000).toISOString().slice(0, 16);
}

const hourMs = 3_600_000;

/** What people look for first, as the browser offers it in the field. */
const Since = ({ id }: { readonly id: string }) => (
  <datalist id={id}>
    {[
      ['an hour ago', 1],
      ['a day ago', 24],
      ['a week ago', 7 * 24],
      ['30 days ago', 30 * 24],
    ].map(([name, hours]) => (
      <option
        key={name}
        value={localText(new Date(Date.now() - Number(hours) * hourMs).toISOString())}
        label={String(name)}
      />
    ))}
  </datalist>
);
