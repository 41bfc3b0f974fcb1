import { useMemo, useState } from 'preact/hooks';
import type { Decision, Evaluation, Version, VersionWithContent } from '../api/types.js';
import { useFact } from '../facts/useFact.js';
import { Graph } from '../graph/graph.js';
import { FaultLine, NodeRegion } from '../graph/nodeRegion.js';
import { wayOf } from '../graph/way.js';
import { Copied } from '../parts/copied.js';
import { PageFrame, Shown, Time, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { ResultRegion } from './resultRegion.js';
import { RunForm } from './runForm.js';
import { TestsPanel } from './testsPanel.js';
import { useFaults } from './useFaults.js';

interface Loaded {
  readonly decision: Decision;
  readonly versions: readonly Version[];
}

/** One model: its graph, and what a run of it on a fact does. */
export function ModelPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { query } = useRouter();
  const number = Number(query.get('version') ?? 0);
  const about = useLoaded(
    async (signal): Promise<Loaded> => {
      const [decision, versions] = await Promise.all([api.decision(id, signal), api.versions(id, signal)]);
      return { decision, versions };
    },
    [api, id],
  );
  const version = useLoaded((signal) => api.version(id, number, signal), [api, id, number]);
  return (
    <PageFrame
      title={about.value?.decision.key ?? 'Decision'}
      actions={<Actions id={id} number={number} versions={about.value?.versions ?? []} />}
    >
      <Shown loaded={version}>
        {(shown) => (
          <Model key={shown.contentHash} id={id} decisionKey={about.value?.decision.key ?? ''} shown={shown} />
        )}
      </Shown>
    </PageFrame>
  );
}

interface ActionsProps {
  readonly id: string;
  readonly number: number;
  readonly versions: readonly Version[];
}

function Actions({ id, number, versions }: ActionsProps) {
  const { setQuery } = useRouter();
  const latest = versions.at(-1)?.version;
  const other = number === 0 ? latest : 0;
  return (
    <>
      <label class="inline">
        Version
        <select value={number} onChange={(event) => setQuery({ version: event.currentTarget.value, node: null })}>
          <option value={0}>working copy</option>
          {[...versions].reverse().map(({ version, message }) => (
            <option key={version} value={version}>
              {versionName(version)}
              {message !== null && ` · ${message.slice(0, 60)}`}
            </option>
          ))}
        </select>
      </label>
      {other !== undefined && (
        <Link class="button" to={`/decisions/${id}/compare?from=${number === 0 ? other : number}&to=0`}>
          Compare
        </Link>
      )}
      <Link class="button" to={`/deployments?decision=${id}`}>
        In force
      </Link>
      <Link class="button" to={`/executions?decisionId=${id}`}>
        History
      </Link>
      <Link class="button primary" to={`/decisions/${id}/edit`}>
        Edit
      </Link>
    </>
  );
}

interface ModelProps {
  readonly id: string;
  readonly decisionKey: string;
  readonly shown: VersionWithContent;
}

function Model({ id, decisionKey, shown }: ModelProps) {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const { content, version, dependencies } = shown;
  const [evaluation, setEvaluation] = useState<Evaluation | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  // A saved version has no errors, and its warnings were shown when it was saved.
  const { faults } = useFaults(version === 0 ? decisionKey : '', content);
  const tests = useMemo(() => content.tests ?? [], [content]);
  const fact = useFact(id, tests);
  const schemas = useLoaded((signal) => api.schemas(id, version, signal), [api, id, version]);
  const trace = evaluation?.trace ?? null;
  const way = useMemo(() => (trace === null ? null : wayOf(content, trace)), [content, trace]);
  const faulty = useMemo(() => new Set(faults.flatMap(({ nodeId }) => (nodeId === null ? [] : [nodeId]))), [faults]);
  const chosen = query.get('node');
  const run = async (text: string): Promise<void> => {
    setFailure(null);
    try {
      setEvaluation(await api.evaluate(id, version, text));
    } catch (error) {
      setEvaluation(null);
      setFailure(error);
    }
  };
  return (
    <>
      <p class="soft small">
        {shown.version > 0 && (
          <>
            {versionName(shown.version)}, saved <Time at={shown.createdAt} /> by <bdi>{shown.savedBy}</bdi>
            {shown.message !== null && <>: {shown.message}</>}.{' '}
          </>
        )}
        Id <Copied text={id} name="id" />
      </p>
      {faults.map((fault) => (
        <FaultLine key={`${fault.pointer ?? ''} ${fault.message}`} fault={fault} />
      ))}
      <div class="model">
        <div class="model-graph">
          <Graph
            model={content}
            label="Graph"
            way={way}
            faulty={faulty}
            chosen={chosen}
            onChoose={(node) => setQuery({ node: node === chosen ? null : node }, true)}
          />
          <NodeRegion model={content} dependencies={dependencies} trace={trace} faults={faults} chosen={chosen} />
        </div>
        <aside class="model-run" aria-label="Run">
          <RunForm decisionId={id} tests={tests} schema={schemas.value?.input ?? null} fact={fact} onRun={run} />
          <ResultRegion evaluation={evaluation} failure={failure} />
          {tests.length > 0 && <TestsPanel decisionId={id} version={version} model={content} />}
        </aside>
      </div>
    </>
  );
}
