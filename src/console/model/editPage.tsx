import { useMemo, useState } from 'preact/hooks';
import type { Decision, Evaluation, Model } from '../api/types.js';
import { useFact } from '../facts/useFact.js';
import { layOut } from '../graph/geometry.js';
import { FaultLine } from '../graph/nodeRegion.js';
import { PageFrame, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { EditorFrame } from './editorFrame.js';
import { LeaveDialog } from './leaveDialog.js';
import { ResultRegion } from './resultRegion.js';
import { RunForm } from './runForm.js';
import { SaveForm, type Stored } from './saveForm.js';
import { useFaults } from './useFaults.js';

interface Loaded {
  readonly decision: Decision;
  /** Of the decision as it was loaded, against another's change meanwhile. */
  readonly tag: string | null;
  readonly model: Model;
}

/** The working copy in the editor: checked while it is typed, run as a draft, saved. */
export function EditPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const loaded = useLoaded(
    async (signal): Promise<Loaded> => {
      const [{ decision, tag }, { content }] = await Promise.all([
        api.decisionWithTag(id, signal),
        api.version(id, 0, signal),
      ]);
      return { decision, tag, model: await placed(content) };
    },
    // Not again for another token: what is drawn meanwhile would be lost.
    [id],
  );
  const key = loaded.value?.decision.key;
  return (
    <PageFrame
      title={key === undefined ? 'Edit' : `Edit ${key}`}
      actions={
        <Link class="button" to={`/decisions/${id}`}>
          Model
        </Link>
      }
    >
      <Shown loaded={loaded}>{(value) => <Editing key={value.tag} {...value} onReload={loaded.reload} />}</Shown>
    </PageFrame>
  );
}

/** The editor draws nothing at all where one node has no position. */
async function placed(model: Model): Promise<Model> {
  if (model.nodes.every(({ position }) => position !== undefined && position !== null)) return model;
  const places = await layOut(model.nodes, model.edges);
  return { ...model, nodes: model.nodes.map((node) => ({ ...node, position: places.get(node.id) ?? { x: 0, y: 0 } })) };
}

function Editing({ model, onReload, ...loaded }: Loaded & { readonly onReload: () => void }) {
  const { api } = useSession();
  const [draft, setDraft] = useState(model);
  // What the service has by now. The editor stays as it is when something is saved, with what is open in it.
  const [stored, setStored] = useState<Stored>({ ...loaded, content: model });
  const { decision } = stored;
  const [run, setRun] = useState<{ readonly evaluation: Evaluation; readonly model: Model } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { faults, error } = useFaults(decision.key, draft);
  const tests = useMemo(() => draft.tests ?? [], [draft.tests]);
  const fact = useFact(decision.id, tests);
  const schemas = useLoaded((signal) => api.schemas(decision.id, 0, signal), [decision.id, stored.tag]);
  const before = useMemo(() => JSON.stringify(stored.content), [stored]);
  const isDirty = useMemo(() => JSON.stringify(draft) !== before, [draft, before]);
  const keep = async (): Promise<Stored> => {
    // A model with errors is kept as a working copy, which nothing runs unless somebody deploys working copies.
    const force = faults.some(({ severity }) => severity === 'error');
    const kept = { ...(await api.updateDecision(decision.id, draft, { force, tag: stored.tag })), content: draft };
    setStored(kept);
    return kept;
  };
  const evaluate = async (text: string): Promise<void> => {
    setFailure(null);
    try {
      setRun({ evaluation: await api.evaluateDraft(decision.key, draft, text), model: draft });
    } catch (refused) {
      setRun(null);
      setFailure(refused);
    }
  };
  return (
    <>
      <SaveForm
        stored={stored}
        isDirty={isDirty}
        faults={faults}
        onKeep={keep}
        onStored={setStored}
        onReload={onReload}
      />
      <LeaveDialog isDirty={isDirty} onKeep={keep} />
      <EditorFrame
        model={model}
        draft={draft}
        run={run}
        // The rest of the model (tests, and what the editor does not know) stays as it was.
        onChange={(changed) => setDraft((present) => ({ ...present, ...changed }))}
      />
      <section aria-label="Faults" aria-live="polite">
        {error !== null && <p class="soft">The service could not check the draft.</p>}
        {faults.map((fault) => (
          <FaultLine key={`${fault.pointer ?? ''} ${fault.message}`} fault={fault} />
        ))}
        {faults.length === 0 && error === null && <p class="soft">No faults.</p>}
      </section>
      <div class="columns">
        <RunForm
          decisionId={decision.id}
          tests={tests}
          schema={schemas.value?.input ?? null}
          fact={fact}
          onRun={evaluate}
        />
        <ResultRegion evaluation={run?.evaluation ?? null} failure={failure} />
      </div>
    </>
  );
}
