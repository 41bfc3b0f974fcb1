import { useState } from 'preact/hooks';
import type { Monitor } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { Time } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { useSession } from '../shell/session.js';
import { textOf } from './sums.js';

interface MonitorTableProps {
  readonly monitors: readonly Monitor[];
  readonly onChanged: () => void;
}

/** What watches the decision, and whether it has tripped. */
export function MonitorTable({ monitors, onChanged }: MonitorTableProps) {
  const { api } = useSession();
  const [failure, setFailure] = useState<unknown>(null);
  if (monitors.length === 0) return <p class="soft">No monitor watches this decision.</p>;
  const remove = async (id: string): Promise<void> => {
    setFailure(null);
    try {
      await api.removeMonitor(id);
      onChanged();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <>
      {failure !== null && <Failure error={failure} />}
      <Table
        label="Monitors"
        columns={['Name', 'State', 'Measure', 'Window', 'Condition', 'Value', 'Since', 'Remove']}
        numbers={['Value']}
        rows={monitors}
        cells={({ id, name, state, measure, window, condition, value, changedAt }) => (
          <>
            <th scope="row">{name}</th>
            <td>
              <span class={state === 'TRIPPED' ? 'mark bad' : 'mark good'}>{state}</span>
            </td>
            <td>{measureText(measure)}</td>
            <td>{window}</td>
            <td>{condition}</td>
            <td class="number">{value === null ? '' : Number(value.toPrecision(4))}</td>
            <td>{changedAt !== null && <Time at={changedAt} />}</td>
            <td>
              <button type="button" aria-label={`Remove ${name}`} onClick={() => void remove(id)}>
                Remove
              </button>
            </td>
          </>
        )}
      />
    </>
  );
}

function measureText(measure: Monitor['measure']): string {
  if (typeof measure === 'string') return measure;
  return measure.equals === undefined ? measure.pointer : `${measure.pointer} = ${textOf(measure.equals)}`;
}
