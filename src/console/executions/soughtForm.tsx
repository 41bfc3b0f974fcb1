import { useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '../api/client.js';
import type { ExecutionSummary } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { Table } from '../parts/table.js';
import { useSession } from '../shell/session.js';
import { maxLooked, search, type SearchProgress, type Sought } from './sought.js';

interface SoughtFormProps {
  /** The list's filters, within which is searched. */
  readonly filter: Query;
  readonly columns: readonly string[];
  readonly cells: (execution: ExecutionSummary) => preact.ComponentChildren;
}

/** Finds executions by a field of fact or result. What is sought may be about people, and stands in no address. */
export function SoughtForm({ filter, columns, cells }: SoughtFormProps) {
  const { api } = useSession();
  const [sought, setSought] = useState<Sought>({ of: 'fact', path: '', value: '' });
  const [progress, setProgress] = useState<SearchProgress | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setBusy(true);
    setFailure(null);
    setProgress(null);
    await search(api, { filter, sought }, { signal, onProgress: setProgress }).catch((error: unknown) => {
      if (!signal.aborted) setFailure(error);
    });
    setBusy(false);
  };
  return (
    <details class="panel">
      <summary>Search in facts and results</summary>
      <form
        class="filters"
        role="search"
        aria-label="Facts and results"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <label>
          In
          <select
            value={sought.of}
            onChange={({ currentTarget }) => setSought({ ...sought, of: currentTarget.value as Sought['of'] })}
          >
            <option value="fact">fact</option>
            <option value="result">result</option>
          </select>
        </label>
        <label>
          Field
          <input
            value={sought.path}
            required
            placeholder="customer.id"
            onInput={({ currentTarget }) => setSought({ ...sought, path: currentTarget.value.trim() })}
          />
        </label>
        <label>
          Is
          <input
            value={sought.value}
            required
            onInput={({ currentTarget }) => setSought({ ...sought, value: currentTarget.value })}
          />
        </label>
        {busy ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button>Search</button>
        )}
      </form>
      <p class="soft small">Looks at the newest {maxLooked} executions that fit the filters above, one by one.</p>
      {failure !== null && <Failure error={failure} />}
      <p role="status">{progress !== null && <ProgressText progress={progress} />}</p>
      {progress !== null && progress.found.length > 0 && (
        <Table label="Found" columns={columns} rows={progress.found} cells={cells} />
      )}
    </details>
  );
}

const ProgressText = ({ progress: { found, looked, withheld, hasMore } }: { readonly progress: SearchProgress }) => (
  <>
    {found.length} found in {looked} executions.{hasMore && ' Older ones were not looked at.'}
    {withheld > 0 && ` Of ${withheld} nothing was recorded.`}
  </>
);
