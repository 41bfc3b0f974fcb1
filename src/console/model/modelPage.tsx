import { useMemo, useState } from 'preact/hooks';
import { fileOf } from '../api/contents.js';
import type { Decision, Fault, Version, VersionWithContent } from '../api/types.js';
import { AnalysisTab } from '../analysis/analysisTab.js';
import { DecisionChanges } from '../audit/decisionChanges.js';
import { useFact } from '../facts/useFact.js';
import { FaultLine } from '../parts/faultLine.js';
import { Copied } from '../parts/copied.js';
import { lazy } from '../parts/lazy.js';
import { Menu } from '../parts/menu.js';
import { Principal, usePrincipals } from '../parts/principals.js';
import { saveFile } from '../parts/saveFile.js';
import { count, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import { Tabs } from '../parts/tabs.js';
import { useLoaded } from '../parts/useLoaded.js';
import { VersionOptions } from '../parts/versionOptions.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { TestsTab, type TriedRun } from '../tests/testsTab.js';
import { CopyDialog, DeleteDialog, RenameDialog, ReplaceDialog } from './decisionDialogs.js';
import { ModelTab } from './modelTab.js';
import { useFaults } from './useFaults.js';

interface About {
  readonly decision: Decision;
  readonly versions: readonly Version[];
}

/** One model: its graph and what a run of it does, its tests, what is proved of it, what it answered, and who changed it. */
export function ModelPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { query } = useRouter();
  const number = Number(query.get('version') ?? 0);
  const [task, setTask] = useState<TaskName | null>(null);
  const Task = task === null ? null : tasks[task];
  const about = useLoaded(
    async (signal): Promise<About> => {
      const [decision, versions] = await Promise.all([api.decision(id, signal), api.versions(id, signal)]);
      return { decision, versions };
    },
    [api, id],
  );
  const version = useLoaded((signal) => api.version(id, number, signal), [api, id, number]);
  return (
    <PageFrame
      title={about.value?.decision.key ?? 'Decision'}
      actions={
        <Actions
          id={id}
          number={number}
          versions={about.value?.versions ?? []}
          isDocument={version.value?.content.document !== undefined}
          onDownload={async () => {
            const { value } = version;
            if (value !== null) saveFile(await fileOf(value.content), fileName(about.value?.decision.key ?? id));
          }}
          onTask={setTask}
        />
      }
    >
      {Task !== null && about.value !== null && version.value !== null && (
        <Task
          decision={about.value.decision}
          content={version.value.content}
          onClose={() => setTask(null)}
          onRenamed={() => {
            about.reload();
            version.reload();
          }}
        />
      )}
      <Shown loaded={version}>
        {(shown) => (
          <Model
            key={shown.version}
            id={id}
            decisionKey={about.value?.decision.key ?? ''}
            shown={shown}
            onWritten={version.reload}
          />
        )}
      </Shown>
    </PageFrame>
  );
}

/** What can be done with the whole decision. */
const tasks = { Rename: RenameDialog, Copy: CopyDialog, Replace: ReplaceDialog, Delete: DeleteDialog };

type TaskName = keyof typeof tasks;

interface ActionsProps {
  readonly onTask: (task: TaskName) => void;
  readonly id: string;
  readonly number: number;
  readonly versions: readonly Version[];
  /** Of DMN: it is changed in a modeler, too, and brought back. */
  readonly isDocument: boolean;
  readonly onDownload: () => Promise<void>;
}

const fileName = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

function Actions({ id, number, versions, isDocument, onDownload, onTask }: ActionsProps) {
  const { setQuery } = useRouter();
  const latest = versions.at(-1)?.version;
  /** With the version before it; the working copy with the newest one, the first version with the working copy. */
  const before = number === 0 ? latest : versions.filter(({ version }) => version < number).at(-1)?.version;
  const pair = before !== undefined ? `from=${before}&to=${number}` : number > 0 ? `from=${number}&to=0` : null;
  return (
    <>
      <label class="inline">
        Version
        <select value={number} onChange={(event) => setQuery({ version: event.currentTarget.value, node: null })}>
          <option value={0}>working copy</option>
          <VersionOptions versions={versions} />
        </select>
      </label>
      {pair !== null && (
        <Link class="button" to={`/decisions/${id}/compare?${pair}`}>
          Compare
        </Link>
      )}
      <Link class="button" to={`/deployments?decision=${id}`}>
        In force
      </Link>
      <Link class="button" to={`/executions?decisionId=${id}`}>
        History
      </Link>
      <Link class="button" to={`/replays?decision=${id}&version=${number}`}>
        Replay
      </Link>
      <Menu label="More">
        <button type="button" class="quiet" onClick={() => void onDownload()}>
          Download
        </button>
        {(['Rename', 'Copy', ...(isDocument ? ['Replace' as const] : []), 'Delete'] as const).map((name) => (
          <button type="button" class="quiet" key={name} onClick={() => onTask(name)}>
            {name}
          </button>
        ))}
      </Menu>
      <Link class="button primary" to={`/decisions/${id}/edit`}>
        Edit
      </Link>
    </>
  );
}

/** Few look at it, and none at first. */
const OutcomesTab = lazy(async () => (await import('../outcomes/outcomesTab.js')).OutcomesTab);

const tabs = [
  ['model', 'Model'],
  ['tests', 'Tests'],
  ['analysis', 'Analysis'],
  ['outcomes', 'Outcomes'],
  ['changes', 'Changes'],
] as const;

type TabId = (typeof tabs)[number][0];

interface ModelProps {
  readonly id: string;
  readonly decisionKey: string;
  readonly shown: VersionWithContent;
  /** The working copy has changed. */
  readonly onWritten: () => void;
}

/** What is run stays while somebody goes from tab to tab. */
function Model({ id, decisionKey, shown, onWritten }: ModelProps) {
  const { api, facts } = useSession();
  const { query, setQuery } = useRouter();
  const { content, version } = shown;
  const [tried, setTried] = useState<TriedRun | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const tests = useMemo(() => content.tests ?? [], [content]);
  const fact = useFact(id, tests);
  const schemas = useLoaded((signal) => api.schemas(id, version, signal), [api, id, shown.contentHash]);
  // A saved version has no errors, and its warnings were shown when it was saved.
  const { faults } = useFaults(version === 0 ? decisionKey : '', content);
  const chosen: TabId = tabs.find(([tab]) => tab === query.get('tab'))?.[0] ?? 'model';
  const run = async (text: string): Promise<void> => {
    setFailure(null);
    try {
      setTried({ fact: text, evaluation: await api.evaluate(id, version, text) });
    } catch (error) {
      setTried(null);
      setFailure(error);
    }
  };
  const runOnGraph = (text: string): void => {
    fact.setText(text);
    facts.keep(id, text);
    setQuery({ tab: null, fact: null });
    void run(text);
  };
  return (
    <>
      <AboutVersion id={id} shown={shown} />
      <Faults faults={faults} />
      <Tabs
        label="About this decision"
        tabs={tabs}
        chosen={chosen}
        onChoose={(tab) => setQuery({ tab: tab === 'model' ? null : tab }, true)}
      >
        {chosen === 'model' && (
          <ModelTab
            {...{ id, shown, tests, fact, tried, failure, faults, onWritten }}
            schema={schemas.value?.input ?? null}
            onRun={run}
          />
        )}
        {chosen === 'tests' && (
          <TestsTab decisionId={id} shown={shown} schemas={schemas.value} tried={tried} onWritten={onWritten} />
        )}
        {chosen === 'analysis' && (
          <AnalysisTab decisionId={id} shown={shown} schemas={schemas.value} onRun={runOnGraph} onWritten={onWritten} />
        )}
        {chosen === 'outcomes' && <OutcomesTab id={id} />}
        {chosen === 'changes' && <DecisionChanges decisionId={id} state={shown.contentHash} />}
      </Tabs>
    </>
  );
}

/** What is wrong with the working copy: errors are seen at once, warnings by a click. */
function Faults({ faults }: { readonly faults: readonly Fault[] }) {
  const errors = faults.filter(({ severity }) => severity === 'error').length;
  if (faults.length === 0) return null;
  const warnings = faults.length - errors;
  return (
    <details class="fault-list" open={errors > 0}>
      <summary>
        {errors > 0 && <b class="bad">{count(errors, 'error')}</b>}{' '}
        {warnings > 0 && <b class="warn">{count(warnings, 'warning')}</b>}
      </summary>
      {faults.map((fault) => (
        <FaultLine key={`${fault.pointer ?? ''} ${fault.message}`} fault={fault} />
      ))}
    </details>
  );
}

const AboutVersion = ({ id, shown }: Pick<ModelProps, 'id' | 'shown'>) => (
  <p class="soft small">
    {shown.version > 0 && <Saved shown={shown} />} Id <Copied text={id} name="id" />
  </p>
);

function Saved({ shown: { version, createdAt, savedBy, message } }: Pick<ModelProps, 'shown'>) {
  const names = usePrincipals();
  return (
    <>
      {versionName(version)}, saved <Time at={createdAt} /> by <Principal id={savedBy} names={names} />
      {message !== null && <>: {message}</>}.
    </>
  );
}
