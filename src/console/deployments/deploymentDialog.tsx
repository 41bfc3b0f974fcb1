import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.js';
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
  const { api } = useSession();
  const [message, setMessage] = useState('');
  const [deployedBy, setDeployedBy] = useState('');
  return (
    <Dialog
      {...rest}
      onSubmit={async () => {
        await api.deploy({
          decisionId: cell.decision.id,
          environmentId: cell.environment.id,
          version,
          name,
          message: message.trim() || null,
          deployedBy: deployedBy.trim() || 'console',
        });
        onDone();
      }}
    >
      {children}
      <label>
        Message
        <input
          value={message}
          maxLength={4000}
          placeholder="why"
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
      </label>
      <label>
        Deployed by
        <input
          value={deployedBy}
          maxLength={255}
          placeholder="console"
          onInput={(event) => setDeployedBy(event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
