import { useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '../api/client.js';
import type { ExecutionSummary } from '../api/types.js';
import { Choice, sent, TextField } from '../parts/entries.js';
import { Failure } from '../parts/failure.js';
import { Button } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { useWork } from '../parts/useWork.js';
import { useSession } from '../shell/session.js';
import { maxLooked, search, type SearchProgress, type Sought } from './sought.js';

interface SoughtFormProps {
  /** The list's filters, within which is searched. */
  readonly filter: Query;
  readonly columns: readonly Column<ExecutionSummary>[];
}

/** Finds executions by a field of fact or result. What is sought may be about people, and stands in no address. */
export function SoughtForm({ filter, columns }: SoughtFormProps) {
  const { api } = useSession();
  const [sought, setSought] = useState<Sought>({ of: 'fact', path: '', value: '' });
  const [progress, setProgress] = useState<SearchProgress | null>(null);
  const { busy, failure, run } = useWork();
  const running = useRef<AbortController | null>(null);
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setProgress(null);
    await run(() =>
      search(api, { filter, sought }, { signal, onProgress: setProgress }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    );
  };
  return (
    <details class="panel">
      <summary>Search in facts and results</summary>
      <form class="filters" role="search" aria-label="Facts and results" onSubmit={sent(() => void start())}>
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
      <p role="status">{progress !== null && <ProgressText progress={progress} />}</p>
      {progress !== null && progress.found.length > 0 && (
        <Table label="Found" columns={columns} rows={progress.found} />
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
