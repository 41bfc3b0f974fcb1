import { shortJson } from '../api/exactJson.js';
import type { Replay, ReplayDifference } from '../api/types.js';
import { List } from '../parts/list.js';
import { Button } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { Link, useRouter } from '../shell/address.js';
import { CaseGraphs } from './caseGraphs.js';

/** The executions whose results would change; a chosen one is drawn on the graphs of both versions. */
export function Cases({ replay }: { readonly replay: Replay }) {
  const { query, setQuery } = useRouter();
  const pointer = query.get('pointer');
  const chosen = query.get('case');
  const columns: readonly Column<ReplayDifference>[] = [
    [
      'Execution',
      ({ executionId }) => (
        <Link to={`/executions/${executionId}`}>
          <code title={executionId}>{executionId.slice(0, 13)}…</code>
        </Link>
      ),
    ],
    ['Reference', ({ reference }) => reference],
    [
      'Changes',
      ({ changes }) =>
        changes.map(({ pointer: at, before, after }) => (
          <div key={at}>
            <code>
              {at} {shortJson(before)} → {shortJson(after)}
            </code>
          </div>
        )),
    ],
    [
      'Graphs',
      ({ executionId }) => (
        <Button
          name="Compare"
          aria-pressed={executionId === chosen}
          aria-description={executionId}
          onClick={() => setQuery({ case: executionId === chosen ? null : executionId })}
        />
      ),
    ],
  ];
  return (
    <section aria-label="Changed cases" class="stack">
      <h2>Changed cases{pointer !== null && ` at ${pointer}`}</h2>
      <List
        label="Changed cases"
        route="GET /logic/replays/{id}/differences"
        query={{ id: replay.id, pointer }}
        state={replay.done}
        columns={columns}
        empty="No case is kept."
      />
      {chosen !== null && <CaseGraphs key={chosen} executionId={chosen} candidate={replay.request.candidate.version} />}
    </section>
  );
}
