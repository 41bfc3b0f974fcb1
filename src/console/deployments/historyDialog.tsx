import { Dialog } from '../parts/dialog.js';
import { Time, versionName } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { Link } from '../shell/router.js';
import type { Cell } from './inForce.js';

const columns = ['Version', 'Name', 'Message', 'By', 'When', 'Executions'];

/** All that was in force of a decision in an environment, the newest first. */
export const HistoryDialog = ({ cell, onClose }: { readonly cell: Cell; readonly onClose: () => void }) => (
  <Dialog
    title={`${cell.decision.key} in ${cell.environment.name}`}
    action="Done"
    cancel="Close"
    isWide
    onClose={onClose}
    onSubmit={() => Promise.resolve()}
  >
    <Table
      label="History"
      columns={columns}
      rows={cell.history}
      cells={({ id, version, name, message, deployedBy, createdAt, decisionId }, index) => (
        <>
          <th scope="row">
            <Link to={`/decisions/${decisionId}?version=${version}`}>{versionName(version)}</Link>
            {index === 0 && <span class="mark good">in force</span>}
          </th>
          <td>{name}</td>
          <td class="wrapped">{message}</td>
          <td>
            <bdi>{deployedBy}</bdi>
          </td>
          <td>
            <Time at={createdAt} />
          </td>
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
