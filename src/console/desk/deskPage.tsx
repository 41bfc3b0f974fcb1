import type { ComponentChildren } from 'preact';
import { lazy } from '../parts/failure.js';
import { PageFrame, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
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
  const loaded = useLoaded(
    (signal) => readStored(api, id, signal),
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
