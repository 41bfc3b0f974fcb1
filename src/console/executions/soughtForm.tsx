import { useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '../api/client.js';
import type { Execution, ExecutionSummary, Page } from '../api/types.js';
import { Action, saveFile } from '../parts/action.js';
import { Choice, sent, TextField } from '../parts/entries.js';
import { each } from '../parts/each.js';
import { Failure } from '../parts/failure.js';
import { Button } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { useWork } from '../parts/useWork.js';
import { useSession } from '../shell/session.js';
import type { Operations } from '../api/operations.js';
import type { Names } from '../parts/useNames.js';
import { fieldsOf, fits, soughtIn } from './fits.js';
import { foundFile } from './foundFile.js';

interface SoughtFormProps {
  /** The list's filters, within which is searched. */
  readonly filter: Query;
  readonly columns: readonly Column<ExecutionSummary>[];
  readonly names: Names;
}

/** Finds executions by a field of fact or result. What is sought may be about people, and stands in no address. */
export function SoughtForm({ filter, columns, names }: SoughtFormProps) {
  const { api } = useSession();
  const [sought, setSought] = useState<Sought>({ of: 'fact', path: '', value: '' });
  const [last, setLast] = useState<{ readonly by: string; readonly progress: SearchProgress } | null>(null);
  const { busy, failure, run } = useWork();
  const running = useRef<AbortController | null>(null);
  const stop = (): void => running.current?.abort();
  // What was found by other filters or fields than those above it would be read as found by these.
  const by = JSON.stringify([filter, sought]);
  const progress = last?.by === by ? last.progress : null;
  useEffect(() => stop, [by]);
  const start = async (from: SearchProgress | null): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const onProgress = (found: SearchProgress): void => setLast({ by, progress: found });
    if (from === null) setLast(null);
    await run(() =>
      search(api, { filter, sought, from: from ?? nothing }, { signal, onProgress }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    );
  };
  return (
    <details class="panel">
      <summary>Search in facts and results</summary>
      <form class="filters" role="search" aria-label="Facts and results" onSubmit={sent(() => void start(null))}>
        <Choice
          name="In"
          value={sought.of}
          options={[
            ['fact', 'fact'],
            ['result', 'result'],
          ]}
          onChange={(of) => setSought({ ...sought, of })}
        />
        <TextField
          name="Field"
          value={sought.path}
          required
          placeholder="customer.id"
          onChange={(text) => setSought({ ...sought, path: text.trim() })}
        />
        <TextField name="Is" value={sought.value} required onChange={(text) => setSought({ ...sought, value: text })} />
        {busy ? <Button name="Stop" onClick={stop} /> : <button>Search</button>}
      </form>
      <p class="soft small">Looks at the newest {maxLooked} executions that fit the filters above, one by one.</p>
      <Failure error={failure} />
      <div class="actions">
        <p role="status">{progress !== null && <ProgressText {...{ progress, busy }} />}</p>
        {progress !== null && progress.after !== null && (
          <Button name="Look at older ones" disabled={busy} onClick={() => void start(progress)} />
        )}
      </div>
      {progress !== null && progress.found.length > 0 && (
        <>
          <div class="actions">
            <Action
              name="Download what was found"
              icon="download"
              work={async () => saveFile(await foundFile(progress.found, names), 'executions-found.csv')}
            />
          </div>
          <Table label="Found" columns={columns} rows={progress.found} />
        </>
      )}
    </details>
  );
}

const ProgressText = ({
  progress: { found, looked, withheld, after, isKnown, fields },
  busy,
}: {
  readonly progress: SearchProgress;
  readonly busy: boolean;
}) => (
  <>
    {found.length} found in {looked} executions.{after !== null && !busy && ' Older ones were not looked at.'}
    {withheld > 0 && ` Of ${withheld} nothing was recorded.`}
    {!isKnown && fields.length > 0 && ` None has a field of that name; they have: ${fields.join(', ')}.`}
  </>
);

/** A field of fact or result, and what it is to be. */
interface Sought {
  readonly of: 'fact' | 'result';
  /** Names with dots between them. */
  readonly path: string;
  readonly value: string;
}

interface SearchProgress {
  readonly found: readonly Execution[];
  readonly looked: number;
  /** Facts and results that were not recorded, or not readable. */
  readonly withheld: number;
  /** Where the older ones begin that were not looked at; null where there are none. */
  readonly after: string | null;
  /** Whether one of them has the field; some of those that there are. */
  readonly isKnown: boolean;
  readonly fields: readonly string[];
}

const mostFields = 20;
/** At once: whoever wants more goes on. */
const maxLooked = 500;
const pageSize = 50;

/** Before the newest. */
const nothing: SearchProgress = { found: [], looked: 0, withheld: 0, after: null, isKnown: false, fields: [] };

interface Search {
  readonly filter: Query;
  readonly sought: Sought;
  /** What was found before, from which it goes on. */
  readonly from: SearchProgress;
}

/**
 * Looks into the next executions that fit the filters, the newest first, one by one: facts are not indexed. Calls `onProgress`
 * after each page. Rejects where the service refuses.
 */
async function search(
  api: Operations,
  { filter, sought, from }: Search,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: SearchProgress) => void },
): Promise<void> {
  let progress = from;
  do {
    const { data, page }: Page<ExecutionSummary> = await api.ask(
      'GET /logic/executions',
      { ...filter, order: 'desc', size: pageSize, after: progress.after },
      signal,
    );
    const executions = await each(data, ({ id }) => api.execution(id, signal));
    const recorded = executions.map((execution) => execution[sought.of]);
    const held = recorded.map((value) => soughtIn(value, sought.path));
    progress = {
      found: [...progress.found, ...executions.filter((_, index) => fits(held[index], sought.value))],
      looked: progress.looked + data.length,
      withheld: progress.withheld + recorded.filter((value) => value === null).length,
      after: data.length === pageSize ? page.after : null,
      isKnown: progress.isKnown || held.some((value) => value !== undefined),
      fields: [...new Set([...progress.fields, ...recorded.flatMap(fieldsOf)])].slice(0, mostFields),
    };
    onProgress(progress);
  } while (progress.after !== null && progress.looked < from.looked + maxLooked);
}
