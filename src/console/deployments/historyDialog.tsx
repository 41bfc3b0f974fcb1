import { decisionName } from '../decisions/tree.js';
import { Dialog } from '../parts/dialog.js';
import { usePrincipals } from '../parts/principals.js';
import { Time, versionName } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { Link } from '../shell/router.js';
import { By } from './by.js';
import type { Cell } from './inForce.js';

const columns = ['Version', 'Who', 'When', 'Name', 'Message', 'Executions'];

/** All that was in force of a decision in an environment, the newest first. */
export function HistoryDialog({ cell, onClose }: { readonly cell: Cell; readonly onClose: () => void }) {
  const names = usePrincipals();
  return (
    <Dialog
      title={`${decisionName(cell.decision.key)} in ${cell.environment.name}`}
      cancel="Close"
      isWide
      onClose={onClose}
    >
      <Table
        label="History"
        columns={columns}
        rows={cell.history}
        cells={({ id, version, name, message, deployedBy, createdAt, decisionId }, index) => (
          <>
            <th scope="row">
              <Link to={`/decisions/${decisionId}?version=${version}`}>{versionName(version)}</Link>{' '}
              {index === 0 && <span class="mark good">in force</span>}
            </th>
            <td>
              <By principal={cell.principals.get(id)} claim={deployedBy} names={names} />
            </td>
            <td>
              <Time at={createdAt} />
            </td>
            <td>{name}</td>
            <td class="wrapped">{message}</td>
            <td>
              <Link to={`/executions?deploymentId=${id}`} aria-label={`runs of ${name}, ${createdAt}`}>
                runs
              </Link>
            </td>
          </>
        )}
      />
    </Dialog>
  );
}
