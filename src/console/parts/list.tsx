import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Query } from '../api/client.js';
import type { Given, ItemOf, Route } from '../api/operations.js';
import type { Page } from '../api/types.js';
import { useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { Action, saveFile } from './action.js';
import { Filters, type Filter } from './filters.js';
import { Freshness } from './freshness.js';
import { Button, Shown } from './small.js';
import { Table, type Column } from './table.js';
import { useLoaded } from './useLoaded.js';

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
  /** It is a part of a page, which has a head of its own. */
  readonly isPart?: boolean;
  /** Between the filters and the table. */
  readonly children?: (query: Query) => ComponentChildren;
}

const size = 100;

/** A list of the API: narrowed by filters, loaded page by page, taken home as a file. */
export function List<R extends Route>(props: ListProps<R>) {
  const { label, route, query, filters = [], state, file, isPart = false, columns, empty, children } = props;
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
                name="Download"
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
