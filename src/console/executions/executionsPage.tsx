import { useEffect, useState } from 'preact/hooks';
import type { Decision, Environment, ExecutionSummary, Page } from '../api/types.js';
import { EnvironmentMark, PageFrame, Shown, StatusMark, Time, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { Filters, filterNames } from './filters.js';

/** Recorded executions, newest first, by the filters that the address names. */
export function ExecutionsPage() {
  const { api } = useSession();
  const { query } = useRouter();
  const names = useLoaded(
    async (signal) => {
      const [decisions, environments] = await Promise.all([api.decisions(signal), api.environments(signal)]);
      return { decisions, environments };
    },
    [api],
  );
  const { decisions = [], environments = [] } = names.value ?? {};
  const filter = Object.fromEntries(filterNames.map((name) => [name, query.get(name)]));
  const text = JSON.stringify(filter);
  const first = useLoaded((signal) => api.executions({ ...filter, order: 'desc', size }, signal), [api, text]);
  return (
    <PageFrame
      title="Executions"
      actions={
        <button type="button" onClick={first.reload}>
          Refresh
        </button>
      }
    >
      <Filters decisions={decisions} environments={environments} />
      <Shown loaded={first}>
        {(page) => <Found key={text} first={page} filter={filter} decisions={decisions} environments={environments} />}
      </Shown>
    </PageFrame>
  );
}

const size = 100;

interface FoundProps {
  readonly first: Page<ExecutionSummary>;
  readonly filter: Readonly<Record<string, string | null>>;
  readonly decisions: readonly Decision[];
  readonly environments: readonly Environment[];
}

function Found({ first, filter, decisions, environments }: FoundProps) {
  const { api } = useSession();
  const [pages, setPages] = useState<readonly Page<ExecutionSummary>[]>([first]);
  useEffect(() => setPages([first]), [first]);
  const after = pages.at(-1)?.page.after ?? null;
  const isWhole = (pages.at(-1)?.data.length ?? 0) < size;
  const more = async (): Promise<void> => {
    const next = await api.executions({ ...filter, order: 'desc', size, after });
    setPages((before) => [...before, next]);
  };
  const rows = pages.flatMap(({ data }) => data);
  if (rows.length === 0) {
    return (
      <p class="empty">
        No execution fits. Deploy a decision, then call <code>POST /logic/…/decisions/…/executions</code>: each is
        recorded before it is answered.
      </p>
    );
  }
  const keys = new Map(decisions.map(({ id, key }) => [id, key]));
  const places = new Map(environments.map((environment) => [environment.id, environment]));
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Executions">
        <table aria-label="Executions">
          <thead>
            <tr>
              {['When', 'Status', 'Decision', 'Version', 'Environment', 'Reference', 'Engine'].map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  <Link to={`/executions/${row.id}`}>
                    <Time at={row.createdAt} />
                  </Link>
                </th>
                <td>
                  <StatusMark status={row.status} />
                </td>
                <td>
                  <Link to={`/decisions/${row.decisionId}?version=${row.version}`}>
                    {keys.get(row.decisionId) ?? row.decisionId}
                  </Link>
                </td>
                <td>{versionName(row.version)}</td>
                <td>
                  <EnvironmentMark environment={places.get(row.environmentId)} />
                </td>
                <td>{row.reference !== null && <code>{row.reference}</code>}</td>
                <td class="number">{row.performance}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!isWhole && (
        <button type="button" onClick={() => void more()}>
          Older ones
        </button>
      )}
    </>
  );
}
