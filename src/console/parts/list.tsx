import type { ComponentChildren } from 'preact';
import { useState, useEffect } from 'preact/hooks';
import type { Query } from '../api/client.js';
import type { Given, ItemOf, Route } from '../api/operations.js';
import type { Page } from '../api/types.js';
import { useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { Action, saveFile } from './action.js';
import { Button, Shown } from './small.js';
import { Table, type Column } from './table.js';
import { useLoaded } from './useLoaded.js';
import { Choice, sent, type Options } from './entries.js';
import { TypedField } from './typedField.js';

interface ListProps<R extends Route> {
  readonly label: string;
  /** The operation that lists. */
  readonly route: R;
  /** What is asked for beside the filters. */
  readonly query?: Given<R>;
  readonly filters?: readonly Filter[];
  readonly columns: readonly Column<ItemOf<R>>[];
  /** What is said in place of the table where there is nothing at all. */
  readonly empty: ComponentChildren;
  /** With what it is loaded anew. */
  readonly state?: unknown;
  /** Where there is a file of it: what that is called. */
  readonly file?: string;
  /** What the button says that gives it, where more is seen than it has. */
  readonly download?: string;
  /** It is a part of a page, which has a head of its own. */
  readonly isPart?: boolean;
  /** Between the filters and the table. */
  readonly children?: (query: Query) => ComponentChildren;
}

const size = 100;

/** A list of the API: narrowed by filters, loaded page by page, taken home as a file. */
export function List<R extends Route>(props: ListProps<R>) {
  const {
    label,
    route,
    query,
    filters = [],
    state,
    file,
    isPart = false,
    columns,
    empty,
    children,
    download = 'Download',
  } = props;
  const { api } = useSession();
  const { query: address } = useRouter();
  const set = Object.fromEntries(filters.map(({ name }) => [name, address.get(name)]));
  const asked: Query = { ...(query as Query | undefined), ...set };
  const load = (after: string | null, signal?: AbortSignal): Promise<Page<ItemOf<R>>> =>
    api.page(route, { ...asked, size, after }, signal);
  const first = useLoaded((signal) => load(null, signal), [api, route, JSON.stringify(asked), state]);
  const [further, setFurther] = useState<{ readonly to: unknown; readonly pages: readonly Page<ItemOf<R>>[] }>({
    to: null,
    pages: [],
  });
  const isNarrowed = Object.values(set).some((value) => value !== null);
  return (
    <>
      {!isPart && (
        <div class="list-head">
          {filters.length > 0 && <Filters label={label} filters={filters} />}
          <div class="actions">
            <Button name="Refresh" onClick={first.reload} />
            {file !== undefined && (
              <Action
                name={download}
                icon="download"
                work={async () => saveFile(await api.listFile(route, asked), file)}
              />
            )}
          </div>
        </div>
      )}
      {children?.(asked)}
      <Shown loaded={first}>
        {(page) => {
          const pages = further.to === page ? [page, ...further.pages] : [page];
          const last = pages.at(-1) ?? page;
          const more = async (): Promise<void> =>
            setFurther({ to: page, pages: [...pages.slice(1), await load(last.page.after)] });
          if (page.data.length === 0) return <p class="empty">{isNarrowed ? 'Nothing fits these filters.' : empty}</p>;
          return (
            <>
              <Table label={label} columns={columns} rows={pages.flatMap(({ data }) => data)} />
              {last.data.length === size && <Action name="More" work={more} />}
              {!isPart && <Freshness at={first.at} reload={first.reload} renews={pages.length === 1} />}
            </>
          );
        }}
      </Shown>
    </>
  );
}

/** What a list is narrowed by, under the name that the API has for it. */
export type Filter = { readonly name: string; readonly label: string } & (
  | { readonly kind: 'text'; readonly placeholder?: string }
  | { readonly kind: 'choice'; readonly options: Options<string> }
  | { readonly kind: 'time'; readonly since?: boolean }
);

/** Filters of a list; what is set stands in the address. */
export function Filters({ label, filters }: Pick<ListProps<Route>, 'label'> & { readonly filters: readonly Filter[] }) {
  const { query, setQuery } = useRouter();
  const times = filters.filter(({ kind }) => kind === 'time');
  return (
    <form class="filters" role="search" aria-label={label} onSubmit={sent(() => undefined)}>
      {filters.map((filter) => filter.kind !== 'time' && <FilterField key={filter.name} filter={filter} />)}
      {/* One moment stands beside the other. */}
      {times.length > 0 && (
        <div class="filters">
          {times.map((filter) => (
            <FilterField key={filter.name} filter={filter} />
          ))}
        </div>
      )}
      {filters.some(({ name }) => query.has(name)) && (
        <Button name="Clear" onClick={() => setQuery(Object.fromEntries(filters.map(({ name }) => [name, null])))} />
      )}
    </form>
  );
}

function FilterField({ filter }: { readonly filter: Filter }) {
  const { query, setQuery } = useRouter();
  const { name, label } = filter;
  const value = query.get(name) ?? '';
  const onChange = (next: string): void => setQuery({ [name]: next.trim() }, true);
  if (filter.kind === 'text') {
    return <TypedField name={label} value={value} onComplete={onChange} placeholder={filter.placeholder} />;
  }
  if (filter.kind === 'choice') {
    const { options } = filter;
    // What the address names stays, even where the list does not have it.
    const strange = value === '' || options.some(([id]) => id === value) ? [] : [[value, value] as const];
    return <Choice name={label} options={[['', 'any'], ...options, ...strange]} {...{ value, onChange }} />;
  }
  // A moment, in the reader's own time; the address has it in UTC.
  const list = `${name}-since`;
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        value={localText(value)}
        {...(filter.since === true ? { list } : {})}
        onChange={({ currentTarget: { value: at } }) => onChange(at === '' ? '' : new Date(at).toISOString())}
      />
      {filter.since === true && <Since id={list} />}
    </label>
  );
}

/** As the browser's field wants it; empty for what is no time. */
export function localText(at: string): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return '';
  const minutes = new Date(ms).getTimezoneOffset();
  return new Date(ms - minutes * 60_000).toISOString().slice(0, 16);
}

const hourMs = 3_600_000;

/** What people look for first, as the browser offers it in the field. */
const Since = ({ id }: { readonly id: string }) => (
  <datalist id={id}>
    {Object.entries({ 'an hour ago': 1, 'a day ago': 24, 'a week ago': 7 * 24, '30 days ago': 30 * 24 }).map(
      ([label, hours]) => (
        <option key={label} {...{ label }} value={localText(new Date(Date.now() - hours * hourMs).toISOString())} />
      ),
    )}
  </datalist>
);

const minuteMs = 60_000;

interface FreshnessProps {
  /** When it was loaded, in milliseconds; null before it was. */
  readonly at: number | null;
  readonly reload: () => void;
  /** Not where more than its first page was loaded, which would be lost. */
  readonly renews?: boolean;
  readonly everyMs?: number;
}

/** How old what is shown is. While somebody looks at it, it is renewed each minute. */
export function Freshness({ at, reload, renews = true, everyMs = minuteMs }: FreshnessProps) {
  useEffect(() => {
    if (!renews) return;
    const timer = setTimeout(() => {
      if (!document.hidden) reload();
    }, everyMs);
    const look = (): void => {
      if (!document.hidden && at !== null && Date.now() - at > everyMs) reload();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [at, reload, renews]);
  if (at === null) return null;
  return (
    <p class="soft small freshness">
      As of <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>
    </p>
  );
}
