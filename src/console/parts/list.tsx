import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Query } from '../api/client.js';
import type { Page } from '../api/types.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { Failure } from './failure.js';
import { ChoiceFilter, Filters, TextFilter, TimeFilter } from './filters.js';
import { Freshness } from './freshness.js';
import { Icon } from './icon.js';
import { saveFile } from './saveFile.js';
import { Shown } from './small.js';
import { Table } from './table.js';
import { useLoaded } from './useLoaded.js';

/** A column: what stands in its head, and in the cells of its rows. The first one's cells are the rows' headings. */
export type Column<Row> = readonly [name: string, cell: (row: Row) => ComponentChildren, kind?: 'number' | 'wrapped'];

/** What a list is narrowed by, under the name that the API has for it; what is set stands in the address. */
export type Filter = { readonly name: string; readonly label: string } & (
  | { readonly kind: 'text'; readonly placeholder?: string }
  | { readonly kind: 'choice'; readonly options: readonly (readonly [value: string, name: string])[] }
  | { readonly kind: 'time'; readonly since?: boolean }
);

interface ListProps<Row> {
  readonly label: string;
  /** Of the operation that lists. */
  readonly path: string;
  /** What is asked for beside the filters. */
  readonly query?: Query;
  readonly filters?: readonly Filter[];
  readonly columns: readonly Column<Row>[];
  /** What is said in place of the table where there is nothing at all. */
  readonly empty: ComponentChildren;
  /** With what it is loaded anew. */
  readonly state?: unknown;
  /** Where there is a file of it: what that is called. */
  readonly file?: string;
  /** Between the filters and the table. */
  readonly children?: (query: Query) => ComponentChildren;
}

const size = 100;

/** A list of the API, the newest first: narrowed by filters, loaded page by page, taken home as a file. */
export function List<Row>(props: ListProps<Row>) {
  const { label, path, query = {}, filters = [], state, file, children } = props;
  const { api } = useSession();
  const { query: address } = useRouter();
  const set = Object.fromEntries(filters.map(({ name }) => [name, address.get(name)]));
  const asked: Query = { order: 'desc', ...query, ...set };
  const inputs = [api, path, JSON.stringify(asked), state];
  const load = (after: string | null, signal?: AbortSignal): Promise<Page<Row>> =>
    api.page<Row>(path, { ...asked, size, after }, signal);
  const first = useLoaded((signal) => load(null, signal), inputs);
  const [further, setFurther] = useState<{ readonly to: Page<Row> | null; readonly pages: readonly Page<Row>[] }>({
    to: null,
    pages: [],
  });
  return (
    <>
      <div class="list-head">
        {filters.length > 0 && (
          <Filters label={label} names={filters.map(({ name }) => name)}>
            {filters.map((filter) => (
              <FilterField key={filter.name} filter={filter} />
            ))}
          </Filters>
        )}
        <div class="actions">
          <button type="button" onClick={first.reload}>
            Refresh
          </button>
          {file !== undefined && (
            <Button name="Download" work={async () => saveFile(await api.listFile(path, asked), file)} />
          )}
        </div>
      </div>
      {children?.(asked)}
      <Shown loaded={first}>
        {(page) => {
          const pages = further.to === page ? [page, ...further.pages] : [page];
          const last = pages.at(-1) ?? page;
          const more = async (): Promise<void> =>
            setFurther({ to: page, pages: [...pages.slice(1), await load(last.page.after)] });
          return (
            <Rows {...props} isNarrowed={Object.values(set).some((value) => value !== null)} pages={pages}>
              {last.data.length === size && <Button name="More" work={more} />}
              <Freshness at={first.at} reload={first.reload} renews={pages.length === 1} />
            </Rows>
          );
        }}
      </Shown>
    </>
  );
}

interface RowsProps<Row> extends Pick<ListProps<Row>, 'label' | 'columns' | 'empty'> {
  readonly pages: readonly Page<Row>[];
  readonly isNarrowed: boolean;
  readonly children: ComponentChildren;
}

function Rows<Row>({ label, columns, empty, pages, isNarrowed, children }: RowsProps<Row>) {
  const rows = pages.flatMap(({ data }) => data);
  if (rows.length === 0) return <p class="empty">{isNarrowed ? 'Nothing fits these filters.' : empty}</p>;
  return (
    <>
      <Table
        label={label}
        columns={columns.map(([name]) => name)}
        numbers={columns.flatMap(([name, , kind]) => (kind === 'number' ? [name] : []))}
        rows={rows}
        cells={(row) => <Cells columns={columns} row={row} />}
      />
      {children}
    </>
  );
}

/** The cells of a row, for tables of the same columns elsewhere, too. */
export const Cells = <Row,>({ columns, row }: { readonly columns: readonly Column<Row>[]; readonly row: Row }) => (
  <>
    {columns.map(([name, cell, kind = ''], at) =>
      at === 0 ? (
        <th scope="row" key={name}>
          {cell(row)}
        </th>
      ) : (
        <td key={name} class={kind}>
          {cell(row)}
        </td>
      ),
    )}
  </>
);

function FilterField({ filter }: { readonly filter: Filter }) {
  if (filter.kind === 'text') return <TextFilter {...filter} />;
  return filter.kind === 'choice' ? <ChoiceFilter {...filter} /> : <TimeFilter {...filter} />;
}

/** A button that says why what it does was refused. */
function Button({ name, work }: { readonly name: 'More' | 'Download'; readonly work: () => Promise<void> }) {
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    await work().catch(setFailure);
    setBusy(false);
  };
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void press()}>
        {name === 'Download' && <Icon name="download" />} {name}
      </button>
      {failure !== null && <Failure error={failure} />}
    </>
  );
}
