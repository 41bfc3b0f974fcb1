import { createDeployment } from '#openapi/forms.gen.js';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';
import type { CreateDeployment } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { Field, FormDialog } from '../parts/form.js';
import { versionName } from '../parts/small.js';
import { useRouter } from '../shell/address.js';
import { usePrincipals, useSession } from '../shell/session.js';
import type { Cell } from './inForce.js';

export interface CellDialogProps {
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

/** Puts a version in force, with why and by whom; all traffic of the decision in the environment runs it from then on. */
export function DeploymentDialog({ cell, version: first, name, children, onDone, ...rest }: DeploymentDialogProps) {
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
      <Field at="deployedBy" />
    </FormDialog>
  );
}
