import { useState } from 'preact/hooks';
import { pause } from '../api/tries.js';
import type { Decision } from '../api/types.js';
import { useInForce, withheld, type InForce } from '../deployments/inForce.js';
import { TextField } from '../parts/entries.js';
import { Freshness } from '../parts/list.js';
import { May, useMay, useSession } from '../shell/session.js';
import { Button, count, EnvironmentMark, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import { useLoaded, type Loaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/address.js';
import type { Column } from '../parts/table.js';
import { DecisionTree, useFound } from './folders.js';
import { NewDecision } from './newDecision.js';
import { useListener } from '../parts/useListener.js';

/** The ids of decisions that have a text in their models; `all` where none is sought. */
type Having = ReadonlySet<string> | 'all';

/** Milliseconds without a key pressed, after which models are searched. */
const pauseMs = 300;

function useHaving(text: string): Loaded<Having> {
  const { api } = useSession();
  return useLoaded<Having>(
    async (signal) => {
      if (text === '') return 'all';
      await pause(pauseMs, signal);
      return new Set(
        (await api.all('GET /logic/decisions', { order: 'key', search: text }, signal)).map(({ id }) => id),
      );
    },
    [api, text],
  );
}

/** The workspace's decisions in a tree of their keys, with where each is deployed. */
export function DecisionsPage() {
  const { query, setQuery } = useRouter();
  const [isMaking, setMaking] = useState(false);
  const [dropped, setDropped] = useState<File | null>(null);
  const mayMake = useMay()('decision:write');
  useDrop((file) => {
    if (!mayMake) return;
    setDropped(file);
    setMaking(true);
  });
  const sought = query.get('key') ?? '';
  const text = query.get('text') ?? '';
  const loaded = useInForce();
  const having = useHaving(text);
  return (
    <PageFrame
      title="Decisions"
      actions={
        <May to="decision:write">
          <Button name="New decision" onClick={() => setMaking(true)} />
        </May>
      }
    >
      <div class="filters" role="search">
        <TextField
          name="Name (key)"
          type="search"
          value={sought}
          placeholder="part of it"
          onChange={(key) => setQuery({ key }, true)}
        />
        <TextField
          name="Text"
          type="search"
          value={text}
          maxLength={200}
          placeholder="in nodes, fields, cells"
          onChange={(words) => setQuery({ text: words }, true)}
        />
      </div>
      <Shown loaded={loaded}>
        {(inForce) => (
          <Shown loaded={having}>
            {(ids) =>
              ids !== 'all' && ids.size === 0 ? (
                <p class="empty">No decision has “{text}” in its key or its working copy.</p>
              ) : (
                <Tree {...inForce} decisions={among(inForce.decisions, ids)} sought={sought} />
              )
            }
          </Shown>
        )}
      </Shown>
      <Freshness {...loaded} />
      {isMaking && (
        <NewDecision
          file={dropped}
          onClose={() => {
            setMaking(false);
            setDropped(null);
          }}
        />
      )}
    </PageFrame>
  );
}

const among = (decisions: readonly Decision[], ids: Having): readonly Decision[] =>
  ids === 'all' ? decisions : decisions.filter(({ id }) => ids.has(id));

function Tree({ decisions, environments, deployed, isWithheld, sought }: InForce & { readonly sought: string }) {
  const found = useFound(decisions, sought);
  if (decisions.length === 0) {
    return (
      <p class="empty">
        There are no decisions yet. Drop a spreadsheet or a model here, choose <b>New decision</b>, or bring a folder of
        models: <code>verdict decision import FOLDER --save</code>.
      </p>
    );
  }
  if (found.length === 0) return <p class="empty">No key has “{sought}” in it.</p>;
  const columns: readonly Column<Decision>[] = [
    [
      'Newest version',
      ({ id, latestVersion }) =>
        latestVersion === null ? (
          <span class="soft">none</span>
        ) : (
          <Link to={`/decisions/${id}?version=${latestVersion}`}>{versionName(latestVersion)}</Link>
        ),
    ],
    ['Working copy', FaultMarks],
    [
      'Deployed',
      ({ id }) =>
        environments.map((environment) => {
          const inForce = deployed.get(id)?.get(environment.id)?.[0];
          return (
            inForce !== undefined && (
              <Link key={environment.id} to={`/decisions/${id}?version=${inForce.version}`}>
                <EnvironmentMark environment={environment} /> {versionName(inForce.version)}
              </Link>
            )
          );
        }),
      'deployed',
    ],
    ['Changed', ({ updatedAt }) => <Time at={updatedAt} />],
  ];
  return (
    <>
      <p class="soft small" role="status">
        {count(found.length, 'decision')}
        {isWithheld && `. ${withheld}`}
      </p>
      <DecisionTree label="Decisions" decisions={found} sought={sought} columns={columns} />
    </>
  );
}

const FaultMarks = ({ faults, warnings }: Decision) => (
  <>
    {faults > 0 && <span class="mark bad">{count(faults, 'fault')}</span>}{' '}
    {warnings > 0 && <span class="mark warn">{count(warnings, 'warning')}</span>}
    {faults + warnings === 0 && <span class="soft">no faults</span>}
  </>
);

/** Takes a file that is dropped anywhere on the page, where the browser would open it in the page's place. */
function useDrop(onFile: (file: File) => void): void {
  useListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  });
  useListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    onFile(file);
  });
}
