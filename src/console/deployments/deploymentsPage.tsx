import { decisionName } from '../../decisions/decisionName.js';
import { createEnvironment } from '#openapi/forms.gen.js';
import { useMemo, useState } from 'preact/hooks';
import { rollBackTarget } from '../../deployments/rollBackTarget.js';
import { DecisionTree, useFound } from '../decisions/folders.js';
import { Filters, Freshness } from '../parts/list.js';
import { Field, FormDialog } from '../parts/form.js';
import { Button, EnvironmentMark, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import type { Decision, Deployment } from '../api/types.js';
import type { Column } from '../parts/table.js';
import type { Loaded } from '../parts/useLoaded.js';
import { NewRequest } from '../requests/newRequest.js';
import { Link, useRouter } from '../shell/address.js';
import { useMay } from '../shell/session.js';
import { By } from '../parts/principals.js';
import { DeployDialog, RollBackDialog, HistoryDialog } from './cellDialogs.js';
import { useInForce, withheld, type Cell, type InForce } from './inForce.js';
import { ProtectedMark, ProtectedNote } from './protected.js';

/** Decisions × environments: the version in force, who put it there and when. */
export function DeploymentsPage() {
  const may = useMay();
  const [isMaking, setMaking] = useState(false);
  const loaded = useInForce();
  return (
    <PageFrame
      title="Deployments"
      actions={may('environment:write') && <Button name="New environment" onClick={() => setMaking(true)} />}
    >
      <Shown loaded={loaded}>{(inForce) => <Grid {...inForce} loaded={loaded} />}</Shown>
      <Freshness {...loaded} />
      {isMaking && (
        <FormDialog
          operation={createEnvironment}
          title="New environment"
          action="Create"
          onClose={() => setMaking(false)}
          onDone={loaded.reload}
        >
          <Field at="name" placeholder="Production" />
        </FormDialog>
      )}
    </PageFrame>
  );
}

/** What is asked of a cell. */
interface CellAction {
  readonly about: 'deploy' | 'request' | 'roll back' | 'history';
  readonly cell: Cell;
  /** What is rolled back to. */
  readonly target?: Deployment | undefined;
}

const shows = [
  ['deployed', 'deployed'],
  ['not', 'not deployed anywhere'],
] as const;

function Grid({ loaded, ...inForce }: InForce & { readonly loaded: Loaded<InForce> }) {
  const { query } = useRouter();
  const [pending, setPending] = useState<CellAction | null>(null);
  const close = (): void => setPending((now) => (now === pending ? null : now));
  const only = query.get('decision');
  const sought = query.get('key') ?? '';
  const where = query.get('show');
  const { decisions, environments, deployed, protections } = inForce;
  const named = useFound(decisions, sought);
  const shown = useMemo(
    () =>
      named.filter(({ id }) => {
        const isDeployed = [...(deployed.get(id)?.values() ?? [])].some(({ length }) => length > 0);
        return (only === null || id === only) && (where === null || isDeployed === (where === 'deployed'));
      }),
    [named, deployed, only, where],
  );
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
  const columns = environments.map((environment): Column<Decision> => {
    const isProtected = protections.has(environment.id);
    return [
      environment.id,
      (decision) => {
        const history = deployed.get(decision.id)?.get(environment.id) ?? [];
        const cell = { decision, environment, isProtected, history, principals: inForce.principals };
        return <GridCell cell={cell} onAsk={(about, target) => setPending({ about, cell, target })} />;
      },
      undefined,
      <span key={environment.id} title={environment.description ?? ''}>
        <Link to={`/environments/${environment.id}`}>
          <EnvironmentMark environment={environment} />
        </Link>{' '}
        {isProtected && <ProtectedMark />}
      </span>,
    ];
  });
  return (
    <>
      {environments.map((environment) => {
        const protection = protections.get(environment.id);
        return protection && <ProtectedNote key={environment.id} environment={environment} protection={protection} />;
      })}
      <Filters
        label="Deployments"
        filters={[
          { kind: 'text', name: 'key', label: 'Name (key)', placeholder: 'part of it' },
          { kind: 'choice', name: 'show', label: 'Show', options: shows },
          {
            kind: 'choice',
            name: 'decision',
            label: 'Decision',
            options: decisions.map(({ id, key }) => [id, decisionName(key)]),
          },
        ]}
      />
      {shown.length === 0 ? (
        <p class="empty">No decision fits these filters.</p>
      ) : (
        <DecisionTree label="Deployments" decisions={shown} sought={sought} columns={columns} />
      )}
      {pending?.about === 'deploy' && <DeployDialog cell={pending.cell} onClose={close} onDone={loaded.reload} />}
      {pending?.about === 'request' && (
        <NewRequest
          names={{ decisions, environments }}
          protections={protections}
          environmentId={pending.cell.environment.id}
          decisionId={pending.cell.decision.id}
          onClose={close}
        />
      )}
      {pending?.target !== undefined && (
        <RollBackDialog cell={pending.cell} target={pending.target} onClose={close} onDone={loaded.reload} />
      )}
      {pending?.about === 'history' && (
        <HistoryDialog
          cell={pending.cell}
          onClose={close}
          onRollBack={(target) => setPending({ about: 'roll back', cell: pending.cell, target })}
        />
      )}
    </>
  );
}

interface GridCellProps {
  readonly cell: Cell;
  readonly onAsk: (about: CellAction['about'], target?: Deployment) => void;
}

function GridCell({ cell: { decision, environment, isProtected, history, principals }, onAsk }: GridCellProps) {
  const may = useMay();
  const [inForce] = history;
  const before = rollBackTarget(history);
  const about = `${decisionName(decision.key)} in ${environment.name}`;
  // Of a working copy alone nothing can be asked for; an environment without protection may run it.
  const isUnsaved = isProtected && decision.latestVersion === null;
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
            <By principal={principals.get(inForce.id)} claim={inForce.deployedBy} />, <Time at={inForce.createdAt} />
          </span>{' '}
          <Link class="small" to={`/executions?deploymentId=${inForce.id}`} aria-label={`Executions of ${about}`}>
            Executions
          </Link>
        </span>
      )}
      <span class="actions">
        {may(isProtected ? 'change:write' : 'deployment:write') && (
          <Button
            name={isProtected ? 'Request' : 'Deploy'}
            aria-description={about}
            aria-disabled={isUnsaved}
            title={isUnsaved ? `There is no version of ${decisionName(decision.key)} to ask for yet.` : undefined}
            onClick={() => !isUnsaved && onAsk(isProtected ? 'request' : 'deploy')}
          />
        )}
        {history.length > 1 && may('deployment:write') && (
          <Button
            name="Roll back"
            aria-description={about}
            // It keeps the focus of who has just rolled back.
            aria-disabled={before === undefined}
            title={
              before === undefined
                ? `Nothing was in force before ${versionName(inForce?.version ?? null)}.`
                : `to ${versionName(before.version)}`
            }
            onClick={() => before !== undefined && onAsk('roll back', before)}
          />
        )}
        {inForce !== undefined && (
          <Button name="History" class="quiet" aria-description={about} onClick={() => onAsk('history')} />
        )}
      </span>
    </div>
  );
}
