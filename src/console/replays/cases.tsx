import { useEffect, useState } from 'preact/hooks';
import { shortJson } from '../api/exactJson.js';
import type { Page, Replay, ReplayDifference } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { CaseGraphs } from './caseGraphs.js';

const size = 50;

/** The executions whose results would change; a chosen one is drawn on the graphs of both versions. */
export function Cases({ replay }: { readonly replay: Replay }) {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const pointer = query.get('pointer');
  const chosen = query.get('case');
  const first = useLoaded(
    (signal) => api.replayDifferences(replay.id, { pointer, size }, signal),
    [api, replay.id, replay.done, pointer],
  );
  return (
    <section aria-label="Changed cases">
      <h2>Changed cases{pointer !== null && ` at ${pointer}`}</h2>
      <Shown loaded={first}>
        {(page) => (
          <List
            key={`${replay.done} ${pointer ?? ''}`}
            first={page}
            more={(after) => api.replayDifferences(replay.id, { pointer, size, after })}
            chosen={chosen}
            onChoose={(id) => setQuery({ case: id === chosen ? null : id })}
          />
        )}
      </Shown>
      {chosen !== null && <CaseGraphs key={chosen} executionId={chosen} candidate={replay.request.candidate.version} />}
    </section>
  );
}

interface ListProps {
  readonly first: Page<ReplayDifference>;
  readonly more: (after: string | null) => Promise<Page<ReplayDifference>>;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

function List({ first, more, chosen, onChoose }: ListProps) {
  const [pages, setPages] = useState([first]);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => setPages([first]), [first]);
  const last = pages.at(-1) ?? first;
  const next = (): void => {
    more(last.page.after).then((page) => setPages((before) => [...before, page]), setFailure);
  };
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Changed cases">
        <table aria-label="Changed cases">
          <thead>
            <tr>
              <th scope="col">Execution</th>
              <th scope="col">Reference</th>
              <th scope="col">Changes</th>
              <th scope="col">Graphs</th>
            </tr>
          </thead>
          <tbody>
            {pages
              .flatMap(({ data }) => data)
              .map(({ executionId, reference, changes }) => (
                <tr key={executionId}>
                  <th scope="row">
                    <Link to={`/executions/${executionId}`}>
                      <code>{executionId}</code>
                    </Link>
                  </th>
                  <td>{reference}</td>
                  <td>
                    {changes.map(({ pointer, before, after }) => (
                      <div key={pointer}>
                        <code>
                          {pointer} {shortJson(before)} → {shortJson(after)}
                        </code>
                      </div>
                    ))}
                  </td>
                  <td>
                    <button
                      type="button"
                      aria-pressed={chosen === executionId}
                      aria-description={executionId}
                      onClick={() => onChoose(executionId)}
                    >
                      Compare
                    </button>
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {failure !== null && <Failure error={failure} />}
      {last.data.length === size && (
        <button type="button" onClick={next}>
          More
        </button>
      )}
    </>
  );
}
