import { useMemo, useState } from 'preact/hooks';
import { EnvironmentMark, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import type { Loaded } from '../parts/useLoaded.js';
import { VirtualRows } from '../parts/virtualRows.js';
import { Link, useRouter } from '../shell/router.js';
import { DeployDialog } from './deployDialog.js';
import { useInForce, withheld, type Cell, type InForce } from './inForce.js';
import { NewEnvironment } from './newEnvironment.js';
import { RollBackDialog } from './rollBackDialog.js';

/** Decisions × environments: the version in force, who put it there and when. */
export function DeploymentsPage() {
  const [isMaking, setMaking] = useState(false);
  const loaded = useInForce();
  return (
    <PageFrame
      title="Deployments"
      actions={
        <button type="button" onClick={() => setMaking(true)}>
          New environment
        </button>
      }
    >
      <Shown loaded={loaded}>{(inForce) => <Grid {...inForce} loaded={loaded} />}</Shown>
      {isMaking && <NewEnvironment onClose={() => setMaking(false)} onMade={loaded.reload} />}
    </PageFrame>
  );
}

function Grid({
  decisions,
  environments,
  deployed,
  isWithheld,
  loaded,
}: InForce & { readonly loaded: Loaded<InForce> }) {
  const { query, setQuery } = useRouter();
  const [deploying, setDeploying] = useState<Cell | null>(null);
  const [rollingBack, setRollingBack] = useState<Cell | null>(null);
  const only = query.get('decision');
  const shown = useMemo(() => decisions.filter(({ id }) => only === null || id === only), [decisions, only]);
  if (isWithheld) {
    return (
      <p role="alert" class="failure">
        {withheld}
      </p>
    );
  }
  if (decisions.length === 0) return <p class="empty">There are no decisions to deploy yet.</p>;
  if (environments.length === 0) {
    return <p class="empty">There is no environment yet. Make one, such as Production; then deploy to it.</p>;
  }
  return (
    <>
      {only !== null && (
        <p>
          One decision.{' '}
          <button type="button" onClick={() => setQuery({ decision: null })}>
            Show all
          </button>
        </p>
      )}
      <VirtualRows
        label="Deployments"
        rows={shown}
        columns={environments.length + 1}
        head={
          <tr>
            <th scope="col">Decision</th>
            {environments.map((environment) => (
              <th scope="col" key={environment.id} title={environment.description ?? ''}>
                <EnvironmentMark environment={environment} />
              </th>
            ))}
          </tr>
        }
        render={(decision, index) => (
          <tr key={decision.id} aria-rowindex={index + 2}>
            <th scope="row">
              <Link to={`/decisions/${decision.id}`}>{decision.key}</Link>
            </th>
            {environments.map((environment) => {
              const history = deployed.get(decision.id)?.get(environment.id) ?? [];
              const cell = { decision, environment, history };
              return (
                <td key={environment.id}>
                  <GridCell cell={cell} onDeploy={() => setDeploying(cell)} onRollBack={() => setRollingBack(cell)} />
                </td>
              );
            })}
          </tr>
        )}
      />
      {deploying !== null && (
        <DeployDialog cell={deploying} onClose={() => setDeploying(null)} onDone={loaded.reload} />
      )}
      {rollingBack !== null && (
        <RollBackDialog cell={rollingBack} onClose={() => setRollingBack(null)} onDone={loaded.reload} />
      )}
    </>
  );
}

interface GridCellProps {
  readonly cell: Cell;
  readonly onDeploy: () => void;
  readonly onRollBack: () => void;
}

function GridCell({ cell: { decision, environment, history }, onDeploy, onRollBack }: GridCellProps) {
  const [inForce, before] = history;
  const about = `${decision.key} in ${environment.name}`;
  return (
    <div class="cell">
      {inForce === undefined ? (
        <span class="soft">not deployed</span>
      ) : (
        <span class="cell-text">
          <Link to={`/decisions/${decision.id}?version=${inForce.version}`}>
            <b>{versionName(inForce.version)}</b>
          </Link>{' '}
          <span class="soft small" title={inForce.message ?? inForce.name}>
            <bdi>{inForce.deployedBy}</bdi>, <Time at={inForce.createdAt} />
          </span>{' '}
          <Link class="small" to={`/executions?deploymentId=${inForce.id}`} aria-label={`runs of ${about}`}>
            runs
          </Link>
        </span>
      )}
      <span class="actions">
        <button type="button" aria-description={about} onClick={onDeploy}>
          Deploy
        </button>
        {before !== undefined && (
          <button type="button" aria-description={about} onClick={onRollBack}>
            Roll back
          </button>
        )}
      </span>
    </div>
  );
}
