import { isRollBack } from '../../deployments/rollBackTarget.js';
import { decisionName } from '../../decisions/decisionName.js';
import { Field, useField, FormDialog } from '../parts/form.js';
import { Button, Time, versionName } from '../parts/small.js';
import { VersionChoice } from '../parts/versionChoice.js';
import { Against } from '../requests/against.js';
import type { CreateDeployment, Deployment } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { Table, type Column } from '../parts/table.js';
import { Link, useRouter } from '../shell/address.js';
import { By } from '../parts/principals.js';
import type { Cell } from './inForce.js';
import { createDeployment } from '#openapi/forms.gen.js';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';
import { useMay, usePrincipals, useSession } from '../shell/session.js';

/** Deploys a version that the person chooses; the newest is offered. */
export function DeployDialog(props: CellDialogProps) {
  const { decision, environment } = props.cell;
  return (
    <DeploymentDialog
      {...props}
      title={`Deploy ${decisionName(decision.key)} to ${environment.name}`}
      action="Deploy"
      version={decision.latestVersion ?? 0}
    >
      <VersionField decisionId={decision.id} environment={environment.name} />
      <Field at="name" hint="As lists call this deployment; else the version." />
    </DeploymentDialog>
  );
}

interface VersionFieldProps {
  readonly decisionId: string;
  /** What it is called. */
  readonly environment: string;
}

function VersionField({ decisionId, environment }: VersionFieldProps) {
  const { value, put } = useField('version');
  const version = Number(value);
  return (
    <>
      <VersionChoice decisionId={decisionId} value={version} workingCopy="last" onChange={put} />
      {version === 0 && (
        <p class="warn">
          {`No version is fixed: whatever somebody keeps as the working copy runs in ${environment} at once.`}
        </p>
      )}
      <Against {...{ decisionId, version }} protection={null} />
    </>
  );
}

interface RollBackProps extends CellDialogProps {
  readonly target: Deployment;
}

/**
 * Puts a version of before in force again, by a deployment of its own: the one that is rolled back stays in the history,
 * with the executions that it ran.
 */
export function RollBackDialog({ target, ...props }: RollBackProps) {
  const { decision, environment, history, principals } = props.cell;
  const [inForce] = history;
  if (inForce === undefined) return null;
  return (
    <DeploymentDialog
      {...props}
      title={`Roll back ${decisionName(decision.key)} in ${environment.name}`}
      action={`Roll back to ${versionName(target.version)}`}
      version={target.version}
      name={`Roll back to ${versionName(target.version)}`}
    >
      <p>
        From <b>{versionName(inForce.version)}</b> ({inForce.name}) to <b>{versionName(target.version)}</b>, which{' '}
        <By principal={principals.get(target.id)} claim={target.deployedBy} /> deployed on{' '}
        <Time at={target.createdAt} />.
      </p>
    </DeploymentDialog>
  );
}

interface HistoryProps {
  readonly cell: Cell;
  readonly onClose: () => void;
  readonly onRollBack: (target: Deployment) => void;
}

/** All that was in force of a decision in an environment, the newest first. */
export function HistoryDialog({ cell, onClose, onRollBack }: HistoryProps) {
  const may = useMay();
  const { history } = cell;
  const isOffered = ({ version }: Deployment, index: number): boolean =>
    isRollBack(history, version) && history.findIndex((each) => each.version === version) === index;
  const columns: readonly Column<Deployment>[] = [
    [
      'Version',
      ({ decisionId, version }, index) => (
        <>
          <Link to={`/decisions/${decisionId}?version=${version}`}>{versionName(version)}</Link>{' '}
          {index === 0 && <span class="mark good">in force</span>}
        </>
      ),
    ],
    ['Who', ({ id, deployedBy }) => <By principal={cell.principals.get(id)} claim={deployedBy} />],
    ['When', ({ createdAt }) => <Time at={createdAt} />],
    ['Name', ({ name }) => name],
    ['Message', ({ message }) => message, 'wrapped'],
    [
      'Executions',
      ({ id, name, createdAt }) => (
        <Link to={`/executions?deploymentId=${id}`} aria-label={`Executions of ${name}, ${createdAt}`}>
          Executions
        </Link>
      ),
    ],
    [
      'Actions',
      (deployment, index) =>
        may('deployment:write') &&
        isOffered(deployment, index) && (
          <Button
            name="Roll back"
            aria-description={`to ${versionName(deployment.version)}`}
            onClick={() => onRollBack(deployment)}
          />
        ),
    ],
  ];
  return (
    <Dialog
      title={`${decisionName(cell.decision.key)} in ${cell.environment.name}`}
      cancel="Close"
      isWide
      onClose={onClose}
    >
      <Table label="History" columns={columns} rows={history} />
    </Dialog>
  );
}

interface CellDialogProps {
  readonly cell: Cell;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface DeploymentDialogProps extends CellDialogProps {
  readonly title: string;
  readonly action: string;
  readonly version: number;
  /** Else that of the version. */
  readonly name?: string;
  /** What is said or asked before message and person. */
  readonly children: ComponentChildren;
}

/** Puts a version in force, with why, in the name of who is signed in; all traffic of the decision in the environment runs it from then on. */
function DeploymentDialog({ cell, version: first, name, children, onDone, ...rest }: DeploymentDialogProps) {
  const { api, who } = useSession();
  const names = usePrincipals();
  const deployedBy = who.name ?? names.get(who.principal) ?? 'console';
  const { go } = useRouter();
  const [needsRequest, setNeedsRequest] = useState(false);
  const { decision, environment } = cell;
  const deploy = async (body: CreateDeployment): Promise<void> => {
    try {
      await api.ask('POST /logic/deployments', { body });
    } catch (error) {
      setNeedsRequest(error instanceof ApiError && error.code === 'approval_required');
      throw error;
    }
    onDone();
  };
  /** In a protected environment others have to approve first. */
  const request = async ({ decisionId, environmentId, version, message }: CreateDeployment): Promise<void> => {
    const title = `${decisionName(decision.key).slice(0, 230)} ${versionName(version ?? null)}`;
    const changes = [{ type: 'deploy' as const, decisionId, version: version ?? 0 }];
    const { id } = await api.ask('POST /logic/change-requests', {
      body: { environmentId, title, message: message ?? null, changes },
    });
    go(`/requests/${id}`);
  };
  return (
    <FormDialog
      operation={createDeployment}
      {...rest}
      {...(needsRequest ? { action: 'Request it' } : {})}
      first={{ decisionId: decision.id, environmentId: environment.id, version: first }}
      defaults={({ version = null }) => ({ name: name ?? versionName(version), deployedBy })}
      send={(body) => (needsRequest && (body.version ?? 0) > 0 ? request(body) : deploy(body))}
    >
      {children}
      <Field at="message" placeholder="why" />
    </FormDialog>
  );
}
