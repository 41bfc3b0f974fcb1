import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Page } from '../api/types.js';
import { Failure } from './failure.js';
import { Freshness } from './freshness.js';
import { Shown } from './small.js';
import { Table } from './table.js';
import { useLoaded, type Loaded } from './useLoaded.js';

/** What is asked of a list: a page of so many, after the one that was last. */
export interface PageRequest {
  readonly size: number;
  readonly after: string | null;
}

/** The pages of a list that were loaded so far. */
export interface Paged<Row> {
  readonly loaded: Loaded<readonly Row[]>;
  /** Loads one page more; null where there is none. */
  readonly more: (() => Promise<void>) | null;
}

const size = 100;

/** A list, page by page; it begins anew when one of `inputs` changes. */
export function usePaged<Row>(
  load: (page: PageRequest, signal?: AbortSignal) => Promise<Page<Row>>,
  inputs: readonly unknown[],
): Paged<Row> {
  const first = useLoaded((signal) => load({ size, after: null }, signal), inputs);
  const [further, setFurther] = useState<{ readonly to: Page<Row> | null; readonly pages: readonly Page<Row>[] }>({
    to: null,
    pages: [],
  });
  const { value } = first;
  if (value === null) return { loaded: { ...first, value }, more: null };
  const pages = further.to === value ? [value, ...further.pages] : [value];
  const last = pages.at(-1) ?? value;
  const more = async (): Promise<void> => {
    const next = await load({ size, after: last.page.after });
    setFurther({ to: value, pages: [...pages.slice(1), next] });
  };
  return {
    loaded: { ...first, value: pages.flatMap(({ data }) => data) },
    more: last.data.length < size ? null : more,
  };
}

interface PagedTableProps<Row> {
  readonly label: string;
  readonly columns: readonly string[];
  /** The columns whose cells are numbers. */
  readonly numbers?: readonly string[];
  readonly paged: Paged<Row>;
  /** In place of the table where there are no rows. */
  readonly empty: ComponentChildren;
  /** The cells of a row; the first is its heading. */
  readonly render: (row: Row) => ComponentChildren;
}

/** A list in a table, and a button for what comes after it. */
export function PagedTable<Row>({ label, columns, numbers = [], paged, empty, render }: PagedTableProps<Row>) {
  return (
    <Shown loaded={paged.loaded}>
      {(rows) =>
        rows.length === 0 ? (
          <p class="empty">{empty}</p>
        ) : (
          <>
            <Table label={label} columns={columns} numbers={numbers} rows={rows} cells={render} />
            {paged.more !== null && <More load={paged.more} />}
            <Freshness at={paged.loaded.at} reload={paged.loaded.reload} renews={rows.length <= size} />
          </>
        )
      }
    </Shown>
  );
}

function More({ load }: { readonly load: () => Promise<void> }) {
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const more = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    await load().catch(setFailure);
    setBusy(false);
  };
  return (
    <>
      {failure !== null && <Failure error={failure} />}
      <button type="button" disabled={busy} onClick={() => void more()}>
        More
      </button>
    </>
  );
}
