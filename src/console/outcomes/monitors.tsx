import { useState } from 'preact/hooks';
import type { Environment, Monitor } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { EnvironmentMark, Time } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { useSession } from '../shell/session.js';
import { MonitorDialog } from './monitorDialog.js';
import { textOf } from './sums.js';

interface MonitorsProps {
  readonly decisionId: string;
  readonly monitors: readonly Monitor[];
  readonly environments: readonly Environment[];
  readonly measured: readonly string[];
  readonly onChanged: () => void;
}

const columns = ['Name', 'State', 'Environment', 'Measure', 'Window', 'Condition', 'Value', 'Since', 'Actions'];

/** What watches the decision, and whether it has tripped. */
export function Monitors({ monitors, onChanged, ...rest }: MonitorsProps) {
  const { api } = useSession();
  const { environments } = rest;
  /** The one that is changed, or a new one. */
  const [open, setOpen] = useState<Monitor | 'new' | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const remove = async (id: string): Promise<void> => {
    setFailure(null);
    try {
      await api.ask('DELETE /logic/monitors/{id}', { id });
      onChanged();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <section aria-label="Monitors" class="stack">
      <div class="heading">
        <h2>Monitors</h2>
        <button type="button" disabled={environments.length === 0} onClick={() => setOpen('new')}>
          New monitor
        </button>
      </div>
      {failure !== null && <Failure error={failure} />}
      {monitors.length === 0 ? (
        <p class="soft">No monitor watches this decision.</p>
      ) : (
        <Table
          label="Monitors"
          columns={columns}
          numbers={['Value']}
          rows={monitors}
          cells={(monitor) => (
            <>
              <MonitorCells monitor={monitor} environments={environments} />
              <td>
                <div class="actions">
                  <button type="button" aria-label={`Change ${monitor.name}`} onClick={() => setOpen(monitor)}>
                    Change
                  </button>
                  <button type="button" aria-label={`Remove ${monitor.name}`} onClick={() => void remove(monitor.id)}>
                    Remove
                  </button>
                </div>
              </td>
            </>
          )}
        />
      )}
      {open !== null && (
        <MonitorDialog
          {...rest}
          monitor={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onDone={onChanged}
        />
      )}
    </section>
  );
}

interface MonitorCellsProps {
  readonly monitor: Monitor;
  readonly environments: readonly Environment[];
}

const MonitorCells = ({ monitor, environments }: MonitorCellsProps) => (
  <>
    <th scope="row">{monitor.name}</th>
    <td>
      <span class={monitor.state === 'TRIPPED' ? 'mark bad' : 'mark good'}>{monitor.state}</span>
    </td>
    <td>
      <EnvironmentMark environment={environments.find(({ id }) => id === monitor.environmentId)} />
    </td>
    <td>{measureText(monitor.measure)}</td>
    <td>{monitor.window}</td>
    <td>{monitor.condition}</td>
    <td class="number">{monitor.value === null ? '' : Number(monitor.value.toPrecision(4))}</td>
    <td>{monitor.changedAt !== null && <Time at={monitor.changedAt} />}</td>
  </>
);

function measureText(measure: Monitor['measure']): string {
  if (typeof measure === 'string') return measure;
  return measure.equals === undefined ? measure.pointer : `${measure.pointer} = ${textOf(measure.equals)}`;
}
