import { useMemo } from 'preact/hooks';
import type { Change, Differences, Version, VersionWithContent } from '../api/types.js';
import { ModelView } from '../graph/modelView.js';
import { PageFrame, Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { VersionOptions } from '../parts/versionOptions.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { DifferenceList } from './differenceList.js';
import { Regions } from './regions.js';
import { decisionName } from '../decisions/tree.js';

export interface Compared {
  readonly before: VersionWithContent;
  readonly after: VersionWithContent;
  readonly differences: Differences;
}

/** Two versions side by side: on their graphs, by field and by row. */
export function ComparePage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const from = Number(query.get('from') ?? 0);
  const to = Number(query.get('to') ?? 0);
  const about = useLoaded(
    async (signal) => {
      const [decision, versions] = await Promise.all([api.decision(id, signal), api.versions(id, signal)]);
      return { decision, versions };
    },
    [api, id],
  );
  const compared = useLoaded(
    async (signal): Promise<Compared> => {
      const [before, after, differences] = await Promise.all([
        api.version(id, from, signal),
        api.version(id, to, signal),
        api.differences(id, from, to, signal),
      ]);
      return { before, after, differences };
    },
    [api, id, from, to],
  );
  const { decision, versions = [] } = about.value ?? {};
  const choose = (name: 'from' | 'to') => (version: number) => setQuery({ [name]: version, node: null });
  return (
    <PageFrame
      title={decision === undefined ? 'Compare' : `Compare ${decisionName(decision.key)}`}
      actions={
        <>
          <VersionChoice label="From" value={from} versions={versions} onChoose={choose('from')} />
          <VersionChoice label="To" value={to} versions={versions} onChoose={choose('to')} />
          <button type="button" onClick={() => setQuery({ from: to, to: from })}>
            Swap
          </button>
          <Link class="button" to={`/decisions/${id}?version=${to}`}>
            Model
          </Link>
        </>
      }
    >
      <Shown loaded={compared}>{(value) => <Comparison {...value} />}</Shown>
    </PageFrame>
  );
}

interface VersionChoiceProps {
  readonly label: string;
  readonly value: number;
  readonly versions: readonly Version[];
  readonly onChoose: (version: number) => void;
}

const VersionChoice = ({ label, value, versions, onChoose }: VersionChoiceProps) => (
  <label class="inline">
    {label}
    <select value={value} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
      <option value={0}>working copy</option>
      <VersionOptions versions={versions} />
    </select>
  </label>
);

/** Two versions on their graphs, and what differs. The chosen node stands in the address. */
export function Comparison({ before, after, differences }: Compared) {
  const { query, setQuery } = useRouter();
  const chosen = query.get('node');
  const marks = useMemo(() => changesOf(differences), [differences]);
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
      <Regions decisionId={before.decisionId} from={before.version} to={after.version} />
      <DifferenceList differences={differences} before={before.content} after={after.content} onChoose={onChoose} />
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
