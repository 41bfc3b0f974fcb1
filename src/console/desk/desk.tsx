import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Evaluation, Model, ModelNode } from '../api/types.js';
import { useFact, useSchemas } from '../facts/useFact.js';
import { wayOf, faultyOf } from '../graph/way.js';
import { knownNow } from '../model/knownFaults.js';
import { useFaults } from '../model/useFaults.js';
import { useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { DecisionsPane } from './decisionsPane.js';
import { BroughtBack, DeskLine } from './deskLine.js';
import { DeskPanel } from './deskPanel.js';
import { draftAnswer, draftSchema } from './draftSchema.js';
import { FaultStrip } from './faultStrip.js';
import { FullTools } from './fullTools.js';
import { changedCell } from '../editor/soughtCell.js';
import type { SoughtPart } from '../editor/marks.js';
import { withGapFilled } from '../editor/gapRow.js';
import { withContent } from '../editor/modelEdits.js';
import { givenBy, keptBack } from '../editor/called.js';
import { ownFaults } from '../editor/ownFaults.js';
import { isObject, rowsOf, textOf } from '../graph/fields.js';
import { NodePane } from './nodePane.js';
import { withSpacedFields } from '../editor/spacedFields.js';
import { cellsIn, repairGroups, withFormulasTold } from '../editor/repairs.js';
import { lazy } from '../parts/failure.js';
import { useCalled } from './useCalled.js';
import { useDeskKeys } from './useDeskKeys.js';
import { useAnalysis } from './useAnalysis.js';
import { useDraft, type Stored } from './useDraft.js';
import { useLive } from './useLive.js';
import { useSaving } from './useSaving.js';
import { useSinglePresses } from './useSinglePresses.js';

// With the first cells that somebody puts right, or who looks keys up.
// Who opens a table has no graph in sight.
const GraphPane = lazy(async () => (await import('./graphScript.js')).GraphPane);
const RepairDialog = lazy(async () => (await import('./dialogParts.js')).RepairDialog);
const KeysDialog = lazy(async () => (await import('./dialogParts.js')).KeysDialog);

interface DeskProps {
  readonly stored: Stored;
  /** Begins again from what the service has. */
  readonly onReload: () => void;
}

/** Where a node that is opened in the graph is written in: its first cell. */
const begin = { row: 0, column: '' };

/** One desk: the decisions, what is open of one of them, and what a run of it does. Which node is open is in the address. */
export function Desk({ stored, onReload }: DeskProps) {
  const { api, who, workspace } = useSession();
  const { query, setQuery } = useRouter();
  const history = useDraft(`${who.principal} ${workspace.id} ${stored.decision.id}`, stored);
  /** Who takes something back sees it: the cursor goes to the cell, where its table is open. */
  const leading = (go: () => void, to: Model | null) => (): void => {
    const cell = open === undefined || to === null ? null : changedCell(open.id, model, to);
    go();
    if (open !== undefined && cell !== null) setSought({ nodeId: open.id, cell });
  };
  const draft = {
    ...history,
    undo: leading(history.undo, history.before),
    redo: leading(history.redo, history.after),
  };
  const { model } = draft;
  const { decision } = draft.stored;
  const called = useCalled(model, decision.key);
  const checked = useFaults(decision.key, model);
  const found = useSchemas(decision.id, 0, draft.stored.tag);
  const schemas = useMemo(
    () => found && { input: draftSchema(model, found.input, called), output: draftAnswer(model, found.output) },
    [model, found, called],
  );
  const known = useMemo(
    () => ({ schema: schemas?.input, given: (node: ModelNode) => givenBy(node, called) }),
    [schemas, called],
  );
  // What the desk tells by itself is no reason to ask before a version is saved.
  const told = useMemo(() => {
    const now = knownNow(checked, model);
    const written = withSpacedFields(model, withFormulasTold(model, now.faults), known);
    return {
      ...now,
      faults: [...written, ...ownFaults(model), ...keptBack(model, called)],
      again: checked.again,
    };
  }, [model, called, known, checked.faults, checked.status]);
  const { faults } = told;
  const evaluate = (text: string, signal?: AbortSignal): Promise<Evaluation> =>
    api.evaluateDraft(decision.key, model, text, signal);
  // What could not be checked while the service was away can be, once it has stored something.
  useEffect(() => {
    if (checked.status === 'stopped') checked.again();
  }, [draft.stored]);
  const live = useLive({ model, evaluate });
  const saving = useSaving(draft, checked.faults);
  const { keep } = saving;
  const [sought, setSought] = useState<SoughtPart | null>(null);
  const [isFull, setFull] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const analysed = useAnalysis(decision.key, model);
  const tests = useMemo(() => model.tests ?? [], [model.tests]);
  const fact = useFact(decision.id, tests);
  const open = model.nodes.find(({ id }) => id === query.get('node'));
  const trace = live.run?.evaluation.trace ?? null;
  const way = useMemo(() => (trace === null || live.run === null ? null : wayOf(live.run.model, trace)), [live.run]);
  const faulty = useMemo(() => faultyOf(model, faults, analysed.findings), [model, faults, analysed.findings]);
  const groups = useMemo(() => repairGroups(model, faults), [model, faults]);
  const repairs = cellsIn(groups.filter(({ choices }) => choices > 0));
  const [last, setLast] = useState<string | null>(null);
  const openNode = (id: string | null): void => {
    setLast(open?.id ?? null);
    setQuery({ node: id }, true);
  };
  const seek = (target: SoughtPart): void => {
    setSought(target);
    openNode(target.nodeId);
  };
  const addRow = (nodeId: string, gap: ReadonlyMap<string, string> | null): void => {
    const content = model.nodes.find(({ id }) => id === nodeId)?.content;
    if (!isObject(content)) return;
    const { next, row } = withGapFilled(content, gap);
    draft.edit((before) => withContent(before, nodeId, next));
    // What the row gives, only a person knows.
    seek({ nodeId, cell: { row, column: textOf(rowsOf(content, 'outputs')[0]?.['id']) } });
  };
  const once = useSinglePresses(open?.id);
  useDeskKeys({
    draft,
    onKeep: () => void keep().catch(() => undefined),
    onRun: () => void (fact.isLoading || live.evaluate(fact.text)),
    onFull: () => setFull((before) => !before),
    onKeys: () => setKeysShown(true),
  });
  const leaveFull = (): void => setFull(false);
  const tools = isFull && <FullTools {...{ draft, saving }} onLeave={leaveFull} />;
  return (
    <main id="main" class={`desk${isFull ? ' full' : ''}`}>
      <DeskLine {...{ draft, saving, onReload }} faults={checked.faults} onKeys={() => setKeysShown(true)} />
      <div class="desk-panes">
        <DecisionsPane current={decision.id} />
        <div class="desk-middle" {...once}>
          {open === undefined ? (
            <GraphPane
              {...{ draft, way, faulty, tools }}
              from={last}
              onOpen={(nodeId) => seek({ nodeId, cell: begin })}
            />
          ) : (
            <NodePane
              key={open.id}
              {...{ draft, faults, tools, trace, known }}
              ran={live.run?.model ?? null}
              findings={analysed.findings}
              node={open}
              sought={sought?.nodeId === open.id ? sought.cell : null}
              onKeep={keep}
              onClose={() => openNode(null)}
              onFull={() => setFull(true)}
            />
          )}
          <FaultStrip
            {...{ draft, repairs }}
            checked={told}
            findings={analysed.findings}
            onRepairs={() => setQuery({ repairs: '1' }, true)}
            onSeek={seek}
          />
        </div>
        <DeskPanel
          subject={{
            decision,
            model,
            state: draft.stored.tag,
            schemas,
            evaluate,
            version: draft.isDirty ? null : 0,
            edit: draft.edit,
          }}
          {...{ live, analysed, fact }}
          tested={saving.tested}
          onSeek={seek}
          onAddRow={addRow}
          notice={<BroughtBack draft={draft} />}
        />
      </div>
      {query.has('repairs') && (
        <RepairDialog
          groups={groups}
          checked={told}
          onEdit={draft.edit}
          onClose={() => setQuery({ repairs: null }, true)}
        />
      )}
      {areKeysShown && <KeysDialog onClose={() => setKeysShown(false)} />}
    </main>
  );
}
