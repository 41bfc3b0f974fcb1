import { useMemo, useState } from 'preact/hooks';
import { permitted } from '../api/client.js';
import type { ExecutionSummary } from '../api/types.js';
import { readRouted, type RoutedDeployment } from '../deployments/inForce.js';
import { type Filter, List } from '../parts/list.js';
import { Button, EnvironmentMark, PageFrame, Shown, StatusMark, Time, versionName } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { useNames, type Names } from '../parts/useNames.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/address.js';
import { useMay, useSession } from '../shell/session.js';
import { briefsOf, InBrief, type Briefs } from './brief.js';
import { Ran, RunFile, type RanFile } from './runFile.js';
import { SoughtForm } from './soughtForm.js';

const columnsOf = (
  { keyOf, environmentOf }: Names,
  /** Null where the token may see no execution whole. */
  briefs: Briefs | null,
): readonly Column<ExecutionSummary>[] => [
  [
    'When',
    ({ id, createdAt }) => (
      <Link to={`/executions/${id}`}>
        <Time at={createdAt} />
      </Link>
    ),
  ],
  ...(briefs === null
    ? []
    : [
        [
          'Asked → answered',
          (execution) => <InBrief {...{ execution, briefs }} />,
          'briefs',
        ] satisfies Column<ExecutionSummary>,
      ]),
  ['Status', ({ status }) => <StatusMark status={status} />],
  ['Decision', ({ decisionId }) => <Link to={`/decisions/${decisionId}`}>{keyOf(decisionId)}</Link>],
  [
    'Version',
    ({ decisionId, version }) => <Link to={`/decisions/${decisionId}?version=${version}`}>{versionName(version)}</Link>,
  ],
  ['Environment', ({ environmentId }) => <EnvironmentMark environment={environmentOf(environmentId)} />],
  ['Reference', ({ reference }) => reference !== null && <code>{reference}</code>, 'if any'],
  ['Engine', ({ performance }) => performance, 'number'],
];

/** The newest deployments that are offered; an older one is found by its link. */
const maxDeployments = 200;

const filtersOf = (
  { decisions, environments, keyOf }: Names,
  deployments: readonly RoutedDeployment[],
): readonly Filter[] => [
  { kind: 'text', name: 'reference', label: 'Reference', placeholder: 'such as order-4711' },
  { kind: 'choice', name: 'decisionId', label: 'Decision', options: decisions.map(({ id }) => [id, keyOf(id)]) },
  { kind: 'text', name: 'version', label: 'Version', placeholder: '3; 0: working copy' },
  {
    kind: 'choice',
    name: 'environmentId',
    label: 'Environment',
    options: environments.map(({ id, name }) => [id, name]),
  },
  {
    kind: 'choice',
    name: 'deploymentId',
    label: 'Deployment',
    options: deployments.slice(0, maxDeployments).map(({ id, name, decisionId, version }) => {
      const what = `${keyOf(decisionId)} ${versionName(version)}`;
      return [id, name === versionName(version) ? what : `${what}, ${name}`] as const;
    }),
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    options: [
      ['COMPLETED', 'completed'],
      ['FAILED', 'failed'],
    ],
  },
  { kind: 'text', name: 'requestId', label: 'HTTP request', placeholder: 'its id' },
  { kind: 'time', name: 'from', label: 'From', since: true },
  { kind: 'time', name: 'to', label: 'To' },
];

/** Recorded executions, newest first, by the filters that the address names. */
export function ExecutionsPage() {
  const { api } = useSession();
  const named = useNames();
  const may = useMay();
  const maySee = may('execution:read');
  const { query, setQuery } = useRouter();
  const [ran, setRan] = useState<RanFile | null>(null);
  const isRunning = query.get('run') !== null;
  const briefs = useMemo(() => (maySee ? briefsOf(api) : null), [api, maySee]);
  const deployments = useLoaded((signal) => permitted(readRouted(api, signal), []), [api]);
  return (
    <PageFrame
      title="Executions"
      actions={may('execution:write') && <Button name="Run a file" onClick={() => setQuery({ run: 'file' }, true)} />}
    >
      {ran !== null && query.get('requestId') === ran.requestId && <Ran ran={ran} />}
      <Shown loaded={named}>
        {(names) => {
          const columns = columnsOf(names, briefs);
          return (
            <>
              {isRunning && deployments.value !== null && (
                <RunFile
                  {...{ names }}
                  deployments={deployments.value}
                  decisionId={query.get('decisionId')}
                  onRan={(done) => {
                    setRan(done);
                    setQuery({ requestId: done.requestId }, true);
                  }}
                  onClose={() => setQuery({ run: null }, true)}
                />
              )}
              <List
                label="Executions"
                route="GET /logic/executions"
                query={{ order: 'desc' }}
                file="executions.csv"
                download="All as a file, without facts"
                filters={filtersOf(names, deployments.value ?? [])}
                columns={columns}
                empty={<Nothing isDeployed={(deployments.value ?? []).length > 0} />}
              >
                {(filter) => <SoughtForm {...{ filter, columns, names }} />}
              </List>
            </>
          );
        }}
      </Shown>
    </PageFrame>
  );
}

/** What comes next, which is another thing once something is deployed. */
const Nothing = ({ isDeployed }: { readonly isDeployed: boolean }) => (
  <>
    No execution yet.{' '}
    {isDeployed ? (
      'Run a file, or have a system ask what is deployed: each time'
    ) : (
      <>
        <Link to="/deployments">Deploy a decision</Link>; each time that a system asks it,
      </>
    )}{' '}
    what it was asked and what it answered is recorded here.
  </>
);
