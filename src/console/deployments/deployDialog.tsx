import { decisionName } from '../decisions/tree.js';
import { Field, useField } from '../parts/form.js';
import { VersionChoice } from '../parts/versionChoice.js';
import { DeploymentDialog, type CellDialogProps } from './deploymentDialog.js';

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
      <VersionField decisionId={decision.id} />
      <Field at="name" />
    </DeploymentDialog>
  );
}

function VersionField({ decisionId }: { readonly decisionId: string }) {
  const { value, put } = useField('version');
  return <VersionChoice decisionId={decisionId} value={Number(value)} workingCopy="last" onChange={put} />;
}
