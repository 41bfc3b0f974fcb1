import { useState } from 'preact/hooks';
import { Asked, type AskedProps } from './asked.js';
import { loadPart } from '../parts/loadPart.js';
import { TableFindings } from './tableFindings.js';
import { ApiError } from '../api/client.js';
import { parseJson, formatJson } from '../api/exactJson.js';
import type { Analysis, Model, ModelTest } from '../api/types.js';
import { withContent } from '../editor/modelEdits.js';
import { isObject, membersOf, rowsOf, ruleIdOf, textOf, type Fields } from '../graph/fields.js';
import { Failure, lazy } from '../parts/failure.js';
import { Loading, Button, Panel } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { freshTestName } from '../tests/coverage.js';
import type { Analysed } from '../desk/useAnalysis.js';
import { ValuesLine } from '../parts/values.js';
import { Choice, sent, TextField } from '../parts/entries.js';
import { useWork } from '../parts/useWork.js';

// Few decisions run others.
const NotLookedAtOf = lazy(async () => (await import('./notLookedAt.js')).NotLookedAtOf);
// A test is written into a draft alone.
const TestDialog = lazy(async () => (await import('../tests/draftParts.js')).TestDialog);

interface AnalysisPartProps extends AskedProps {
  /** Of a draft; undefined where it is asked now. */
  readonly analysed: Analysed | undefined;
}

/** What is proved of a model, and of a draft what mends it. */
export function AnalysisPart(props: AnalysisPartProps) {
  const { subject, analysed, onRun } = props;
  const { decision, version } = subject;
  return (
    <>
      {analysed !== undefined && <Proved {...props} analysed={analysed} />}
      {analysed === undefined && version !== null && <StoredAnalysis {...props} version={version} />}
      {version !== null && <PropertyForm decisionId={decision.id} {...{ version, onRun }} model={subject.model} />}
    </>
  );
}

/** Of a stored version, which is asked once. */
function StoredAnalysis({ version, ...props }: AnalysisPartProps & { readonly version: number }) {
  const { api } = useSession();
  const { decision, state } = props.subject;
  const { value, error, loading, reload } = useLoaded(
    (signal) => api.analyse({ decisionId: decision.id, version }, signal),
    [api, decision.id, version, state],
  );
  if (loading) return <Loading />;
  return <Proved {...props} analysed={{ analysis: value, isSearched: true, error, again: reload }} />;
}

function Proved({ subject, analysed, onSeek, onRun, onAddRow }: AnalysisPartProps & { readonly analysed: Analysed }) {
  const [asked, setAsked] = useState<ModelTest | null>(null);
  const { analysis, isSearched, error, again } = analysed;
  const { model, edit } = subject;
  const tests = model.tests ?? [];
  const isRunning = runsOthers(model);
  // For what a limit stopped: a machine that was busy may have the time now.
  const lookAgain = <Button name="Look again" title="What was not decided in time may be by now" onClick={again} />;
  if (error !== null)
    return (
      <>
        <Failure error={error} />
        {error instanceof ApiError && error.code === 'engine_timeout' && lookAgain}
      </>
    );
  const isAll = analysis === null ? !hasTables(model) : analysis.reach.elements.length + analysis.tables.length === 0;
  if (isAll && isRunning)
    return (
      <p>
        It has no tables of its own. <NotLookedAtOf subject={subject} />
      </p>
    );
  if (analysis === null) return <p class="soft">There is nothing proved of it yet.</p>;
  const { tables, reach } = analysis;
  const found = tables.filter(({ findings }) => findings.length > 0);
  const isOpen = reach.unknown > 0 || found.some(({ findings }) => findings.some(({ status }) => status === 'unknown'));
  return (
    <>
      {isSearched ? (
        <p>
          {reach.unknown === reach.elements.length && reach.unknown > 0 ? (
            <>Which of its {reach.unknown} rows and branches are reached by some fact was not decided in time.</>
          ) : (
            <>
              {reach.reachable} of {reach.elements.length} rows and branches are reached by some fact
              {reach.unreachable > 0 && <>, {reach.unreachable} by none</>}
              {reach.unknown > 0 && <>; of {reach.unknown} it was not decided in time</>}.
            </>
          )}{' '}
          {isOpen && lookAgain}
        </p>
      ) : (
        <p class="soft">Which of its {reach.elements.length} rows and branches are reached is looked for …</p>
      )}
      {found.length === 0 && isSearched && (
        <p class="empty">Nothing was found: no gap, no dead row, no conflict, of facts that give all fields.</p>
      )}
      {found.map((table) => (
        <TableFindings
          key={table.nodeId}
          {...{ table, model, onRun, onAddRow }}
          onChoose={(cell) => onSeek({ nodeId: table.nodeId, cell })}
          onAddTest={edit && ((fact) => setAsked({ name: freshTestName(tests), input: parseJson(fact), output: {} }))}
          onDelete={edit && ((rule) => edit((before) => withoutRow(before, table.nodeId, rule)))}
          onWhole={edit && ((column) => edit((before) => withWhole(before, table.nodeId, column)))}
        />
      ))}
      {isRunning && (
        <p class="soft">
          <NotLookedAtOf subject={subject} />
        </p>
      )}
      <Asked {...{ subject, onSeek, onRun, onAddRow }} />
      {asked !== null && (
        <TestDialog
          title="What should it give?"
          subject={subject}
          test={asked}
          onSave={(test) => edit?.((before) => ({ ...before, tests: [...(before.tests ?? []), test] }))}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Whether something of what it decides stands elsewhere. */
const runsOthers = ({ nodes }: Model): boolean => nodes.some(({ type }) => type === 'decisionNode');

const hasTables = ({ nodes }: Model): boolean => nodes.some(({ type }) => type === 'decisionTableNode');

/** Without the row that reports call so. */
function withoutRow(model: Model, nodeId: string, rule: string): Model {
  const content = membersOf(model.nodes.find(({ id }) => id === nodeId)?.content);
  const rules = rowsOf(content, 'rules').filter((row, at) => ruleIdOf(row, at) !== rule);
  return withContent(model, nodeId, { ...content, rules });
}

/** With the word of an author that only whole numbers come in a column. */
function withWhole(model: Model, nodeId: string, column: Fields): Model {
  const content = model.nodes.find(({ id }) => id === nodeId)?.content;
  if (!isObject(content)) return model;
  const inputs = rowsOf(content, 'inputs').map((each) =>
    textOf(each['field']) === textOf(column['field']) ? { ...each, _whole: true } : each,
  );
  return withContent(model, nodeId, { ...content, inputs });
}

interface PropertyFormProps {
  readonly decisionId: string;
  readonly version: number;
  readonly model: Model;
  readonly onRun: (fact: string) => void;
}

type Property = Analysis['properties'][number];

const colours: Readonly<Record<Property['status'], string>> = { proved: 'good', refuted: 'bad', unknown: 'warn' };

const propertyKinds = (['never', 'always'] as const).map((each) => [each, each] as const);

/** Asks whether something can never be, or always holds. */
function PropertyForm({ decisionId, version, model, onRun }: PropertyFormProps) {
  const { api } = useSession();
  const [kind, setKind] = useState<'never' | 'always'>('never');
  const [source, setSource] = useState('');
  const [property, setProperty] = useState<Property | null>(null);
  const [readings, setReadings] = useState<readonly string[]>([]);
  const { busy, failure, run } = useWork();
  const parts = () => loadPart(import('./conditionParts.js'));
  const asked = { api, decisionId, version, model };
  const prove = async (kind: 'never' | 'always', source: string): Promise<void> => {
    setProperty(null);
    setReadings([]);
    setSource(source);
    setProperty(await (await parts()).proved(kind, source, asked));
  };
  const proveTyped = async (): Promise<void> => {
    const meant = await (await parts()).meantBy(source, asked);
    setProperty(null);
    setReadings(meant);
    if (meant.length === 1) await prove(kind, meant[0] ?? source);
  };
  const tryExample = async (): Promise<void> => {
    const example = (await parts()).exampleOf(model);
    if (example === null) throw new Error('No table of it has cells that are simple enough for an example.');
    setKind('never');
    await prove('never', example);
  };
  return (
    <Panel label="Property" title="Does it hold?">
      <form class="save" onSubmit={sent(() => void run(proveTyped))}>
        <Choice name="What" value={kind} options={propertyKinds} onChange={setKind} class="short" />
        <TextField
          name="Condition"
          value={source}
          required
          maxLength={2000}
          spellcheck={false}
          class="code"
          placeholder="fact.age < 18 and result.decision != 'refused'"
          onChange={setSource}
        />
        <button disabled={busy}>Prove</button>
      </form>
      <p class="soft small">
        fact is what comes in, result what it gives.{' '}
        <Button name="Try an example of this model" class="link" disabled={busy} onClick={() => void run(tryExample)} />
      </p>
      <Failure error={failure} />
      <div role="status">
        {property !== null && <Outcome property={property} onRun={onRun} />}
        {readings.length > 1 && (
          <p>
            It may mean:{' '}
            {readings.map((each) => (
              <Button key={each} name={each} disabled={busy} onClick={() => void run(() => prove(kind, each))} />
            ))}
          </p>
        )}
      </div>
    </Panel>
  );
}

function Outcome({
  property: { name, status, witness, reason },
  onRun,
}: Pick<PropertyFormProps, 'onRun'> & { readonly property: Property }) {
  const fact = witness !== null && isObject(witness.fact) ? formatJson(witness.fact) : null;
  return (
    <p>
      <span class={`mark ${colours[status]}`}>{status}</span> <code>{name}</code>
      {reason === null ? ' ' : `: ${reason}. `}
      {witness !== null && (
        <>
          by <ValuesLine value={witness.fact ?? witness.input} /> → <ValuesLine value={witness.result} />{' '}
        </>
      )}
      {fact !== null && <Button name="Run it" onClick={() => onRun(fact)} />}
    </p>
  );
}
