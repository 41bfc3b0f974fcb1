import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';
import { decisionName } from '../decisions/tree.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/entries.js';
import { usePrincipals } from '../parts/principals.js';
import { versionName } from '../parts/small.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
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
  readonly name: string;
  /** What is said or asked before message and person. */
  readonly children: ComponentChildren;
}

/** Puts a version in force, with why and by whom; all traffic of the decision in the environment runs it from then on. */
export function DeploymentDialog({ cell, version, name, children, onDone, ...rest }: DeploymentDialogProps) {
  const { api, who } = useSession();
  const names = usePrincipals();
  const own = who.name ?? names.get(who.principal) ?? 'console';
  const { go } = useRouter();
  const [message, setMessage] = useState('');
  const [deployedBy, setDeployedBy] = useState('');
  const [needsRequest, setNeedsRequest] = useState(false);
  const { decision, environment } = cell;
  const target = { decisionId: decision.id, environmentId: environment.id };
  const deploy = async (): Promise<void> => {
    try {
      await api.ask('POST /logic/deployments', {
        body: {
          ...target,
          version,
          name,
          message: message.trim() || null,
          deployedBy: deployedBy.trim() || own,
        },
      });
    } catch (error) {
      setNeedsRequest(error instanceof ApiError && error.code === 'approval_required');
      throw error;
    }
    onDone();
  };
  /** In a protected environment others have to approve first. */
  const request = async (): Promise<void> => {
    const { id } = await api.ask('POST /logic/change-requests', {
      body: {
        environmentId: environment.id,
        title: `${decisionName(decision.key).slice(0, 230)} ${versionName(version)}`,
        message: message.trim() || null,
        changes: [{ type: 'deploy', decisionId: decision.id, version }],
      },
    });
    go(`/requests/${id}`);
  };
  return (
    <Dialog
      {...rest}
      {...(needsRequest ? { action: 'Request it' } : {})}
      onSubmit={needsRequest && version > 0 ? request : deploy}
    >
      {children}
      <TextField name="Message" value={message} maxLength={4000} placeholder="why" onChange={setMessage} />
      <TextField name="Deployed by" value={deployedBy} maxLength={255} placeholder={own} onChange={setDeployedBy} />
    </Dialog>
  );
}
