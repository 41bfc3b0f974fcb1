import { useMemo, useState } from 'preact/hooks';
import { rollBackTarget } from '../../deployments/rollBackTarget.js';
import { FolderRow, indentOf, useFolders, useFound } from '../decisions/folders.js';
import { decisionName, type Line } from '../decisions/tree.js';
import { ChoiceFilter, Filters, TextFilter } from '../parts/filters.js';
import { Freshness } from '../parts/freshness.js';
import { EnvironmentMark, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import type { Loaded } from '../parts/useLoaded.js';
import { usePrincipals } from '../parts/principals.js';
import { VirtualRows } from '../parts/virtualRows.js';
import { NewRequest } from '../requests/newRequest.js';
import { Link, useRouter } from '../shell/address.js';
import { useMay } from '../shell/session.js';
import { By } from './by.js';
import { DeployDialog } from './deployDialog.js';
import { HistoryDialog } from './historyDialog.js';
import { useInForce, withheld, type Cell, type InForce } from './inForce.js';
import { NewEnvironment } from './newEnvironment.js';
import { ProtectedMark, ProtectedNote } from './protected.js';
import { RollBackDialog } from './rollBackDialog.js';

/** Decisions × environments: the version in force, who put it there and when. */
export function DeploymentsPage() {
  const may = useMay();
  const [isMaking, setMaking] = useState(false);
  const loaded = useInForce();
  return (
    <PageFrame
      title="Deployments"
      actions={
        may('environment:write') && (
          <button type="button" onClick={() => setMaking(true)}>
            New environment
          </button>
        )
      }
    >
      <Shown loaded={loaded}>{(inForce) => <Grid {...inForce} loaded={loaded} />}</Shown>
      <Freshness {...loaded} />
      {isMaking && <NewEnvironment onClose={() => setMaking(false)} onDone={loaded.reload} />}
    </PageFrame>
  );
}

/** What is asked of a cell. */
interface CellAction {
  readonly about: 'deploy' | 'request' | 'roll back' | 'history';
  readonly cell: Cell;
}

function Grid({ loaded, ...inForce }: InForce & { readonly loaded: Loaded<InForce> }) {
  const { query } = useRouter();
  const [pending, setPending] = useState<CellAction | null>(null);
  const close = (): void => setPending((now) => (now === pending ? null : now));
  const only = query.get('decision');
  const sought = query.get('key') ?? '';
  const where = query.get('show');
  const { decisions, environments, deployed, protections } = inForce;
  const guarded = environments.filter(({ id }) => protections.has(id));
  const named = useFound(decisions, sought);
  const shown = useMemo(
    () =>
      named.filter(({ id }) => {
        const isDeployed = [...(deployed.get(id)?.values() ?? [])].some(({ length }) => length > 0);
        return (only === null || id === only) && (where === null || isDeployed === (where === 'deployed'));
      }),
    [named, deployed, only, where],
  );
  const folders = useFolders(shown, sought);
  if (inForce.isWithheld) {
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
      {environments.map((environment) => {
        const protection = protections.get(environment.id);
        return protection && <ProtectedNote key={environment.id} environment={environment} protection={protection} />;
      })}
      <Filters label="Deployments" names={['key', 'show', 'decision']}>
        <TextFilter name="key" label="Name (key)" placeholder="part of it" />
        <ChoiceFilter
          name="show"
          label="Show"
          options={[
            ['deployed', 'deployed'],
            ['not', 'not deployed anywhere'],
          ]}
        />
        <ChoiceFilter
          name="decision"
          label="Decision"
          options={decisions.map(({ id, key }) => [id, decisionName(key)])}
        />
      </Filters>
      {shown.length === 0 ? (
        <p class="empty">No decision fits these filters.</p>
      ) : (
        <VirtualRows
          label="Deployments"
          rows={folders.lines}
          columns={environments.length + 1}
          head={<Head environments={environments} protections={protections} />}
          render={(line, index) =>
            line.kind === 'folder' ? (
              <FolderRow
                key={`${line.path}/`}
                line={line}
                index={index}
                columns={environments.length + 1}
                folders={folders}
              />
            ) : (
              <GridRow
                key={line.decision.id}
                {...{ line, index, environments, deployed, protections }}
                principals={inForce.principals}
                onAsk={setPending}
              />
            )
          }
        />
      )}
      {pending?.about === 'deploy' && <DeployDialog cell={pending.cell} onClose={close} onDone={loaded.reload} />}
      {pending?.about === 'request' && (
        <NewRequest
          names={{ decisions, environments: guarded }}
          environmentId={pending.cell.environment.id}
          decisionId={pending.cell.decision.id}
          onClose={close}
        />
      )}
      {pending?.about === 'roll back' && <RollBackDialog cell={pending.cell} onClose={close} onDone={loaded.reload} />}
      {pending?.about === 'history' && <HistoryDialog cell={pending.cell} onClose={close} />}
    </>
  );
}

const Head = ({ environments, protections }: Pick<InForce, 'environments' | 'protections'>) => (
  <tr>
    <th scope="col">Decision</th>
    {environments.map((environment) => (
      <th scope="col" key={environment.id} title={environment.description ?? ''}>
        <Link to={`/environments/${environment.id}`}>
          <EnvironmentMark environment={environment} />
        </Link>{' '}
        {protections.has(environment.id) && <ProtectedMark />}
      </th>
    ))}
  </tr>
);

interface GridRowProps extends Pick<InForce, 'environments' | 'deployed' | 'protections' | 'principals'> {
  readonly line: Extract<Line, { kind: 'decision' }>;
  readonly index: number;
  readonly onAsk: (pending: CellAction) => void;
}

const GridRow = ({ line: { decision, name, depth }, index, onAsk, ...inForce }: GridRowProps) => (
  <tr aria-rowindex={index + 2}>
    <th scope="row" style={indentOf(depth)}>
      <Link to={`/decisions/${decision.id}`} title={decision.key}>
        {name}
      </Link>
    </th>
    {inForce.environments.map((environment) => {
      const history = inForce.deployed.get(decision.id)?.get(environment.id) ?? [];
      const isProtected = inForce.protections.has(environment.id);
      const cell = { decision, environment, isProtected, history, principals: inForce.principals };
      return (
        <td key={environment.id}>
          <GridCell cell={cell} onAsk={(about) => onAsk({ about, cell })} />
        </td>
      );
    })}
  </tr>
);

interface GridCellProps {
  readonly cell: Cell;
  readonly onAsk: (about: CellAction['about']) => void;
}

function GridCell({ cell: { decision, environment, isProtected, history, principals }, onAsk }: GridCellProps) {
  const names = usePrincipals();
  const may = useMay();
  const [inForce] = history;
  const before = rollBackTarget(history);
  const about = `${decisionName(decision.key)} in ${environment.name}`;
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
            <By principal={principals.get(inForce.id)} claim={inForce.deployedBy} names={names} />,{' '}
            <Time at={inForce.createdAt} />
          </span>{' '}
          <Link class="small" to={`/executions?deploymentId=${inForce.id}`} aria-label={`Executions of ${about}`}>
            Executions
          </Link>
        </span>
      )}
      <span class="actions">
        {may(isProtected ? 'change:write' : 'deployment:write') && (
          <button type="button" aria-description={about} onClick={() => onAsk(isProtected ? 'request' : 'deploy')}>
            {isProtected ? 'Request' : 'Deploy'}
          </button>
        )}
        {history.length > 1 && may('deployment:write') && (
          <button
            type="button"
            aria-description={about}
            // It keeps the focus of who has just rolled back.
            aria-disabled={before === undefined}
            title={
              before === undefined
                ? `Nothing was in force before ${versionName(inForce?.version ?? null)}.`
                : `to ${versionName(before.version)}`
            }
            onClick={() => before !== undefined && onAsk('roll back')}
          >
            Roll back
          </button>
        )}
        {inForce !== undefined && (
          <button type="button" class="quiet" aria-description={about} onClick={() => onAsk('history')}>
            History
          </button>
        )}
      </span>
    </div>
  );
}
