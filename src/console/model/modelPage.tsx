import { decisionName } from '../../decisions/decisionName.js';
import { useMemo, useState } from 'preact/hooks';
import { fileOf } from '../api/contents.js';
import type { Decision, Evaluation, Fault, Version, VersionWithContent } from '../api/types.js';
import { pairOf } from '../compare/pair.js';
import { lastPart } from '../decisions/tree.js';
import { DeskPanel } from '../desk/deskPanel.js';
import { useLive } from '../desk/useLive.js';
import { useFact, useSchemas } from '../facts/useFact.js';
import { ModelView, onlyNode } from '../graph/modelView.js';
import { Copied } from '../parts/copied.js';
import { Choice } from '../parts/entries.js';
import { lazy } from '../parts/failure.js';
import { FaultLine } from '../parts/faultLine.js';
import { May, useMay, useSession } from '../shell/session.js';
import { Menu } from '../parts/menu.js';
import { Principal } from '../parts/principals.js';
import { saveFile } from '../parts/action.js';
import { Button, count, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import { useAbout, stateOptions } from '../parts/versionChoice.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/address.js';
import type { Missed } from '../tests/coverage.js';
import { useFaults } from './useFaults.js';

interface ModelPageProps {
  readonly id: string;
  /** Why it is shown in place of another page. */
  readonly notice?: string;
}

/** One model, read as on the desk: its graph and what a run of it does, its tests, what is proved of it, and who changed it. */
export function ModelPage({ id, notice }: ModelPageProps) {
  const { api } = useSession();
  const { query } = useRouter();
  const number = Number(query.get('version') ?? 0);
  const [task, setTask] = useState<TaskName | null>(null);
  const Task = task === null ? null : tasks[task][1];
  const about = useAbout(id);
  const loaded = useLoaded((signal) => api.version(id, number, signal), [api, id, number]);
  // The one before is not shown meanwhile: what a person typed there would be gone with it, and run on another version.
  const isAsked = loaded.value === null || loaded.value.version === number;
  const version = isAsked ? loaded : { ...loaded, value: null, loading: true };
  return (
    <PageFrame
      title={decisionName(about.value?.decision.key ?? 'Decision')}
      actions={
        <Actions
          id={id}
          number={number}
          versions={about.value?.versions ?? []}
          hash={version.value?.contentHash}
          isDocument={version.value?.content.document !== undefined}
          node={query.get('node') ?? (version.value === null ? undefined : onlyNode(version.value.content)?.id) ?? ''}
          onDownload={async () => {
            const { value } = version;
            if (value === null) return;
            const name = lastPart(about.value?.decision.key ?? id).replace(/\.(?:json|dmn)$/i, '');
            saveFile(await fileOf(value.content), `${name}.${value.content.document === undefined ? 'json' : 'dmn'}`);
          }}
          onTask={setTask}
        />
      }
    >
      {notice && <p role="note">{notice}</p>}
      <Shown loaded={version}>
        {(shown) => (
          <Shown loaded={about}>
            {({ decision }) => <Model key={shown.version} decision={decision} shown={shown} />}
          </Shown>
        )}
      </Shown>
      {/* Below all of it: nothing moves while its script comes. */}
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
    </PageFrame>
  );
}

// With the first of them that somebody asks for.
const dialogs = () => import('./decisionDialogs.js');

/** What can be done with the whole decision, each with the scope that it needs. */
const tasks = {
  Rename: ['decision:update', lazy(async () => (await dialogs()).RenameDialog)],
  Copy: ['decision:write', lazy(async () => (await dialogs()).CopyDialog)],
  Replace: ['decision:update', lazy(async () => (await dialogs()).ReplaceDialog)],
  Delete: ['decision:delete', lazy(async () => (await dialogs()).DeleteDialog)],
} as const;

/** What else there is of it, each with the scope that it needs. */
const elsewhere = (id: string, version: number) =>
  [
    ['deployments:read', 'Deployed', `/deployments?decision=${id}`],
    ['executions:read', 'Executions', `/executions?decisionId=${id}`],
    ['executions:read', 'Outcomes', `/decisions/${id}/outcomes`],
    ['replay:write', 'Replay', `/replays?decision=${id}&version=${version}`],
  ] as const;

type TaskName = keyof typeof tasks;

interface ActionsProps {
  readonly onTask: (task: TaskName) => void;
  readonly id: string;
  readonly number: number;
  readonly versions: readonly Version[];
  /** Of what is shown. */
  readonly hash: string | undefined;
  /** Of DMN: it is changed in a modeler, too, and brought back. */
  readonly isDocument: boolean;
  /** Which one is read; '' for the graph. Who goes on to edit finds it open. */
  readonly node: string;
  readonly onDownload: () => Promise<void>;
}

function Actions({ id, number, versions, hash, isDocument, node, onDownload, onTask }: ActionsProps) {
  const { setQuery } = useRouter();
  const may = useMay();
  const pair = pairOf(number, versions, hash);
  const desk = `/decisions/${id}/edit`;
  return (
    <>
      <Choice
        name="Version"
        value={number}
        options={stateOptions(versions)}
        onChange={(version) => setQuery({ version, node: null })}
        isInline
      />
      {pair !== null && (
        <Link name="Compare" class="button" to={`/decisions/${id}/compare?from=${pair.from}&to=${pair.to}`} />
      )}
      {elsewhere(id, number).map(
        ([scope, name, to]) => may(scope) && <Link {...{ name, to }} key={name} class="button" />,
      )}
      <Menu label="More">
        <Button name={`Download .${isDocument ? 'dmn' : 'json'}`} class="quiet" onClick={() => void onDownload()} />
        {(['Rename', 'Copy', ...(isDocument ? ['Replace' as const] : []), 'Delete'] as const).map((name) => (
          <May to={tasks[name][0]} key={name}>
            <Button name={name} class="quiet" onClick={() => onTask(name)} />
          </May>
        ))}
      </Menu>
      <May to="decision:update">
        {number > 0 && (
          <Link
            name={`Edit from ${versionName(number)}`}
            class="button"
            title="The draft begins with the content of this version; nothing is saved by that"
            to={`${desk}?from=${number}${node && `&node=${node}`}`}
          />
        )}
        <Link
          name={number > 0 && number !== versions.at(-1)?.version ? 'Edit the working copy' : 'Edit'}
          class="button primary"
          title="Opens the working copy"
          to={`${desk}${node && `?node=${node}`}`}
        />
      </May>
    </>
  );
}

interface ModelProps {
  readonly decision: Decision;
  readonly shown: VersionWithContent;
}

/** A version as it stands on the desk, where nothing of it is changed. */
function Model({ decision, shown }: ModelProps) {
  const { api } = useSession();
  const { setQuery } = useRouter();
  const { id } = decision;
  const { content: model, version, contentHash: state } = shown;
  const tests = useMemo(() => model.tests ?? [], [model]);
  const fact = useFact(id, tests);
  const schemas = useSchemas(id, version, state);
  // A saved version has no errors, and its warnings were shown when it was saved.
  const { faults } = useFaults(version === 0 ? decision.key : '', model);
  const [missed, setMissed] = useState<Missed | null>(null);
  const evaluate = (text: string, signal?: AbortSignal): Promise<Evaluation> => api.evaluate(id, version, text, signal);
  const live = useLive({ model, evaluate });
  return (
    <>
      <AboutVersion shown={shown} />
      <Faults faults={faults} />
      <div class="model">
        <div class="model-graph">
          <ModelView
            {...{ shown, faults }}
            label="Graph"
            opensOnlyNode
            trace={live.run?.evaluation.trace ?? null}
            {...(missed === null ? {} : { missed })}
          />
        </div>
        <DeskPanel
          subject={{ decision, model, version, state, evaluate, schemas }}
          {...{ live, fact }}
          onSeek={({ nodeId }) => setQuery({ node: nodeId }, true)}
          onMissed={setMissed}
        />
      </div>
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

const AboutVersion = ({ shown }: Pick<ModelProps, 'shown'>) => {
  const { decisionId, version, createdAt, savedBy, message } = shown;
  return (
    <p class="soft small">
      {version > 0 && (
        <>
          {versionName(version)}, saved <Time at={createdAt} /> by <Principal id={savedBy} />
          {message !== null && `: ${message}`}.
        </>
      )}{' '}
      Id <Copied text={decisionId} name="id" />
    </p>
  );
};
