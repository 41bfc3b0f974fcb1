import type { Deployment } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { Dialog } from '../parts/dialog.js';
import { Time, versionName } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { Link } from '../shell/address.js';
import { By } from './by.js';
import type { Cell } from './inForce.js';

/** All that was in force of a decision in an environment, the newest first. */
export function HistoryDialog({ cell, onClose }: { readonly cell: Cell; readonly onClose: () => void }) {
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
  ];
  return (
    <Dialog
      title={`${decisionName(cell.decision.key)} in ${cell.environment.name}`}
      cancel="Close"
      isWide
      onClose={onClose}
    >
      <Table label="History" columns={columns} rows={cell.history} />
    </Dialog>
  );
}
