import type { ComponentChildren } from 'preact';
import { lazy } from '../parts/failure.js';
import { PageFrame, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useRouter } from '../shell/address.js';
import { useMay, useSession } from '../shell/session.js';
import { Desk } from './desk.js';
import { readStored } from './useDraft.js';

const ReadPage = lazy(
  async () => (await import('../model/modelPage.js')).ModelPage,
  ({ children }: { readonly children?: ComponentChildren }) => <PageFrame title="Decision">{children}</PageFrame>,
);

const notice = 'This is to look at. Who writes decisions (decision:update) finds the editor here.';

/** The author's desk of one decision's working copy; who may change nothing is shown the decision to look at. */
export function DeskPage({ id }: { readonly id: string }) {
  const may = useMay();
  if (!may('decision:update')) return <ReadPage id={id} notice={notice} />;
  return <OwnDesk id={id} />;
}

function OwnDesk({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { setQuery } = useRouter();
  const loaded = useLoaded(
    async (signal) => {
      const from = Number(new URLSearchParams(location.search).get('from') ?? 0);
      const stored = await readStored(api, id, signal, from);
      // It is taken once: from then on it is a draft as any other, which the browser keeps.
      if (from > 0 && !signal.aborted) setQuery({ from: null }, true);
      return stored;
    },
    // Not again for another token: what is drawn meanwhile would be lost.
    [id],
  );
  const { value, at } = loaded;
  // Whoever loads it anew begins anew, also where nothing is newer than what was loaded: the draft may have been kept from before.
  if (value !== null) return <Desk key={at} stored={value} onReload={loaded.reload} />;
  return (
    <PageFrame title="Edit">
      <Shown loaded={loaded}>{() => null}</Shown>
    </PageFrame>
  );
}
