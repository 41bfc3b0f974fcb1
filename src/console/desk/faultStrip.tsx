import type { Fault } from '../api/types.js';
import { FaultLine } from '../graph/nodeRegion.js';

interface FaultStripProps {
  readonly faults: readonly Fault[];
  readonly error: unknown;
  readonly onOpen: (nodeId: string) => void;
}

/** More in one place nobody reads; the rest stands at its cells. */
const mostShown = 50;

/** The faults of the draft, each with the way to its node. */
export const FaultStrip = ({ faults, error, onOpen }: FaultStripProps) => (
  <section aria-label="Faults" aria-live="polite" class="faults" tabIndex={0}>
    {error !== null && <p class="soft">The service could not check the draft.</p>}
    {faults.slice(0, mostShown).map((fault) => (
      <div class="fault-row" key={`${fault.pointer ?? ''} ${fault.message}`}>
        <FaultLine fault={fault} />
        {fault.nodeId !== null && (
          <button
            type="button"
            class="quiet"
            aria-label={`Show where ${fault.node ?? 'it'} has it`}
            onClick={() => onOpen(fault.nodeId ?? '')}
          >
            Show
          </button>
        )}
      </div>
    ))}
    {faults.length > mostShown && <p class="soft">… and {faults.length - mostShown} more.</p>}
    {faults.length === 0 && error === null && <p class="soft">No faults.</p>}
  </section>
);
