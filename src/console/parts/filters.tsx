import { useRouter } from '../shell/address.js';
import { Choice, sent, type Options, useTyped } from './entries.js';
import { Button } from './small.js';

/** What a list is narrowed by, under the name that the API has for it. */
export type Filter = { readonly name: string; readonly label: string } & (
  | { readonly kind: 'text'; readonly placeholder?: string }
  | { readonly kind: 'choice'; readonly options: Options<string> }
  | { readonly kind: 'time'; readonly since?: boolean }
);

interface FiltersProps {
  /** What is filtered. */
  readonly label: string;
  readonly filters: readonly Filter[];
}

/** Filters of a list; what is set stands in the address. */
export function Filters({ label, filters }: FiltersProps) {
  const { query, setQuery } = useRouter();
  return (
    <form class="filters" role="search" aria-label={label} onSubmit={sent(() => undefined)}>
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} />
      ))}
      {filters.some(({ name }) => query.has(name)) && (
        <Button name="Clear" onClick={() => setQuery(Object.fromEntries(filters.map(({ name }) => [name, null])))} />
      )}
    </form>
  );
}

interface FieldProps<Kind extends Filter['kind']> {
  readonly filter: Extract<Filter, { kind: Kind }>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterField({ filter }: { readonly filter: Filter }) {
  const { query, setQuery } = useRouter();
  const props = {
    value: query.get(filter.name) ?? '',
    onChange: (value: string) => setQuery({ [filter.name]: value.trim() }, true),
  };
  if (filter.kind === 'text') return <TextFilter filter={filter} {...props} />;
  return filter.kind === 'choice' ? (
    <ChoiceFilter filter={filter} {...props} />
  ) : (
    <TimeFilter filter={filter} {...props} />
  );
}

function TextFilter({ filter: { label, placeholder = '' }, value, onChange }: FieldProps<'text'>) {
  const typed = useTyped(value, onChange);
  return (
    <label>
      {label}
      <input {...typed} placeholder={placeholder} />
    </label>
  );
}

function ChoiceFilter({ filter: { label, options }, value, onChange }: FieldProps<'choice'>) {
  // What the address names stays, even where the list does not have it.
  const strange = value === '' || options.some(([id]) => id === value) ? [] : [[value, value] as const];
  return <Choice name={label} options={[['', 'any'], ...options, ...strange]} {...{ value, onChange }} />;
}

/** A moment, in the reader's own time; the address has it in UTC. */
function TimeFilter({ filter: { name, label, since = false }, value, onChange }: FieldProps<'time'>) {
  const list = since ? `${name}-since` : undefined;
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={localText(value)}
        {...(list === undefined ? {} : { list })}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString())
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
