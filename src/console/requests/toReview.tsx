import { useLoaded } from '../parts/useLoaded.js';
import { usePaused } from '../parts/usePaused.js';
import { useSession } from '../shell/session.js';

const [nearMs, farMs] = [5000, 60_000];
/** More are a list to look at, and no number. */
const mostTold = 9;

/** How many requests of others wait for a review. @param isNear requests are looked at, and perhaps decided just now */
export function ToReview({ isNear }: { readonly isNear: boolean }) {
  const { api, who } = useSession();
  const open = useLoaded(
    (signal) => api.page('GET /logic/change-requests', { state: 'OPEN', size: 2 * mostTold, order: 'desc' }, signal),
    [api],
  );
  usePaused(isNear ? nearMs : farMs, () => document.hidden || open.reload(), [open.at, open.error, isNear]);
  const waiting = open.value?.data.filter(({ author }) => author !== who.principal).length ?? 0;
  if (waiting === 0) return null;
  return (
    <b class="mark waiting">
      {waiting > mostTold ? `${mostTold}+` : waiting}
      <span class="visually-hidden"> to review</span>
    </b>
  );
}
