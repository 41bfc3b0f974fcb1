import type { Replay } from '../api/types.js';

const colours = { RUNNING: 'soft', COMPLETED: 'good', CANCELLED: 'warn', FAILED: 'bad' } as const;

/** How far a replay is. */
export const ReplayStatus = ({ replay: { status, done, total } }: { readonly replay: Replay }) => (
  <>
    <span class={`mark ${colours[status]}`}>{status}</span>{' '}
    {status === 'RUNNING' && <progress max={Math.max(1, total)} value={done} aria-label="Done" />}{' '}
    <span class="soft">
      {done} of {total}
    </span>
  </>
);
