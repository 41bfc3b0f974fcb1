import { decisionName } from '../../decisions/decisionName.js';
import { useMemo } from 'preact/hooks';
import type { Operations } from '../api/operations.js';
import type { Change, Differences, VersionWithContent } from '../api/types.js';
import { ModelView } from '../graph/modelView.js';
import { Choice } from '../parts/entries.js';
import { lazy } from '../parts/failure.js';
import { Button, PageFrame, Shown, versionName } from '../parts/small.js';
import { useAbout, stateOptions } from '../parts/versionChoice.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { DifferenceList } from './differenceList.js';
import { Regions } from './regions.js';

export interface Compared {
  readonly before: VersionWithContent;
  readonly after: VersionWithContent;
  readonly differences: Differences;
}

interface Pair {
  /** Of the decision. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** Two versions, and what the service finds different in them. */
export async function compare(api: Operations, { id, from, to }: Pair, signal: AbortSignal): Promise<Compared> {
  const [before, after, differences] = await Promise.all([
    api.version(id, from, signal),
    api.version(id, to, signal),
    api.ask('GET /logic/decisions/{id}/versions/{from}/differences/{to}', { id, from, to }, signal),
  ]);
  return { before, after, differences };
}

/** Two versions side by side: on their graphs, by field and by row. */
export function ComparePage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const from = Number(query.get('from') ?? 0);
  const to = Number(query.get('to') ?? 0);
  const about = useAbout(id);
  const compared = useLoaded((signal) => compare(api, { id, from, to }, signal), [api, id, from, to]);
  const { decision, versions = [] } = about.value ?? {};
  const choose = (name: 'from' | 'to') => (version: number) => setQuery({ [name]: version, node: null });
  return (
    <PageFrame
      title={decision === undefined ? 'Compare' : `Compare ${decisionName(decision.key)}`}
      actions={
        <>
          <Choice name="From" value={from} options={stateOptions(versions)} onChange={choose('from')} isInline />
          <Choice name="To" value={to} options={stateOptions(versions)} onChange={choose('to')} isInline />
          <Button name="Swap" onClick={() => setQuery({ from: to, to: from })} />
          <Link name="Model" class="button" to={`/decisions/${id}?version=${to}`} />
        </>
      }
    >
      <Shown loaded={compared}>{(value) => <Comparison {...value} />}</Shown>
    </PageFrame>
  );
}

// For the few decisions that run others.
const CalledChanges = lazy(async () => (await import('./calledParts.js')).CalledChanges);

/** Two versions on their graphs, and what differs. The chosen node stands in the address. */
export function Comparison({ before, after, differences }: Compared) {
  const { query, setQuery } = useRouter();
  const chosen = query.get('node');
  const called = differences.dependencies ?? [];
  const marks = useMemo(() => changesOf(differences), [differences]);
  const pair = { id: before.decisionId, from: before.version, to: after.version };
  const onChoose = (node: string): void => setQuery({ node: node === chosen ? null : node }, true);
  return (
    <>
      <div class="columns wide">
        {[before, after].map((version, side) => (
          <section key={side} aria-label={side === 0 ? 'Before' : 'After'} class="side">
            <h2>
              {versionName(version.version)}
              {version.message !== null && <span class="soft">: {version.message}</span>}
            </h2>
            <ModelView
              shown={version}
              label={`Graph of ${versionName(version.version)}`}
              changes={marks}
              nodeLabel={side === 0 ? 'Node before' : 'Node after'}
            />
          </section>
        ))}
      </div>
      <DifferenceList
        {...{ differences, onChoose }}
        before={before.content}
        after={after.content}
        isOfOwn={called.length > 0}
      />
      {called.length > 0 && <CalledChanges pair={pair} changed={called} />}
      <Regions decisionId={pair.id} from={pair.from} to={pair.to} before={before.content} after={after.content} />
    </>
  );
}

/** What changed, by the ids of nodes and edges; a table of which rows changed is a changed node. */
function changesOf({ nodes, edges, rows }: Differences): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const { nodeId } of rows) changes.set(nodeId, 'changed');
  for (const { id, change } of [...nodes, ...edges]) {
    if (id !== null && !(change === 'moved' && changes.has(id))) changes.set(id, change);
  }
  return changes;
}
