import { formatJson } from '../api/exactJson.js';
import type { Analysis, Model } from '../api/types.js';
import { isObject, rowsOf, ruleIndexes, textOf, type Fields } from '../graph/fields.js';
import { isLastRowTheRest, type Gap } from '../editor/gapRow.js';
import { Button, Section } from '../parts/small.js';
import { cellsOfGap, givenBeside, inFractions, worded } from './worded.js';
import { Table, type Column, OwnName } from '../parts/table.js';
import { ValuesLine } from '../parts/values.js';

type TableAnalysis = Analysis['tables'][number];
type Finding = TableAnalysis['findings'][number];

interface AnalysisViewProps {
  readonly analysis: Analysis;
  readonly model: Model;
  /** Whether it was looked for facts that reach each row; else it is under way. */
  readonly isSearched: boolean;
  /** Asks once more. */
  readonly onAgain: () => void;
  /** Shows a node, in which the finding is. */
  readonly onChoose: (nodeId: string) => void;
  /** @param fact JSON */
  readonly onRun: (fact: string) => void;
  /** Makes a test of it, once somebody has said what it should give; undefined where nothing is changed. */
  readonly onAddTest: ((fact: string) => void) | undefined;
  /** Puts a row into a table; undefined where it cannot be changed. @param gap what the row takes; null for all that is left */
  readonly onAddRow: ((nodeId: string, gap: Gap | null) => void) | undefined;
  /** Says that a column of a table has whole numbers only; undefined where it cannot be changed. */
  readonly onWhole: ((nodeId: string, column: Fields) => void) | undefined;
}

/** What is proved of a model, each finding with a fact that shows it. */
export function AnalysisView({ analysis, model, isSearched, onAgain, ...actions }: AnalysisViewProps) {
  const { tables, reach } = analysis;
  const found = tables.filter(({ findings }) => findings.length > 0);
  const isOpen = reach.unknown > 0 || found.some(({ findings }) => findings.some(({ status }) => status === 'unknown'));
  return (
    <>
      {isSearched ? (
        <p>
          {reach.reachable} of {reach.elements.length} rows and branches are reached by some fact
          {reach.unreachable > 0 && <>, {reach.unreachable} by none</>}
          {reach.unknown > 0 && <>; of {reach.unknown} it is not known</>}. {isOpen && <LookAgain onAgain={onAgain} />}
        </p>
      ) : (
        <p class="soft">Which of its {reach.elements.length} rows and branches are reached is looked for …</p>
      )}
      {found.length === 0 && isSearched && <p class="empty">Nothing was found: no gap, no dead row, no conflict.</p>}
      {found.map((table) => (
        <TableFindings key={table.nodeId} table={table} model={model} {...actions} />
      ))}
    </>
  );
}

/** For what a limit stopped: a machine that was busy may have the time now. */
export const LookAgain = ({ onAgain }: Pick<AnalysisViewProps, 'onAgain'>) => (
  <Button name="Look again" title="What was not decided in time may be by now" onClick={onAgain} />
);

type TableFindingsProps = Omit<AnalysisViewProps, 'analysis' | 'isSearched' | 'onAgain'> & {
  readonly table: TableAnalysis;
};

function TableFindings({
  table: { nodeId, node, findings },
  model,
  onChoose,
  onAddRow,
  onWhole,
  ...actions
}: TableFindingsProps) {
  const content = model.nodes.find(({ id }) => id === nodeId)?.content;
  const rows = ruleIndexes(rowsOf(content, 'rules'));
  const columns: readonly Column<Finding>[] = [
    [
      'What',
      ({ kind, message }) => (
        <>
          <span class={`mark ${kinds[kind][1]}`}>{kinds[kind][0]}</span> <span>{worded(message, content)}</span>
        </>
      ),
      'wrapped',
    ],
    [
      'Rows',
      ({ rules }) =>
        rules.length > 0 && (
          <>
            <OwnName name="Rows" />
            {rules.map((rule) => (rows.has(rule) ? (rows.get(rule) ?? 0) + 1 : rule)).join(', ')}
          </>
        ),
    ],
    ['Status', ({ status }) => status],
    ['Shown by', ({ kind, witness }) => witness !== null && <Witness {...{ kind, witness }} />, 'wrapped'],
    [
      'Actions',
      (finding) => (
        <FindingActions
          {...{ finding, ...actions }}
          cells={cellsOfGap(finding.message, content)}
          onAddRow={onAddRow && finding.kind === 'gap' ? (gap) => onAddRow(nodeId, gap) : undefined}
          isLastTheRest={isLastRowTheRest(content)}
          whole={onWhole && finding.kind === 'gap' ? inFractions(finding.message, content) : []}
          onWhole={(column) => onWhole?.(nodeId, column)}
        />
      ),
    ],
  ];
  return (
    <Section label={`Findings in ${node}`} title={<Button name={node} class="link" onClick={() => onChoose(nodeId)} />}>
      <Table label={`Findings in ${node}`} columns={columns} rows={findings} isOneStop />
    </Section>
  );
}

/** What kinds of findings mean; those that harm are told from those that are only noted. */
const kinds: Readonly<Record<Finding['kind'], readonly [name: string, colour: string]>> = {
  gap: ['gap', 'warn'],
  shadowed: ['never reached', 'warn'],
  conflict: ['excludes itself', 'warn'],
  fails: ['fails', 'bad'],
  redundant: ['redundant', ''],
  overlap: ['overlap', ''],
};

interface FindingActionsProps extends Pick<AnalysisViewProps, 'onRun' | 'onAddTest'> {
  readonly finding: Finding;
  readonly cells: Gap['cells'];
  readonly onAddRow: ((gap: Gap | null) => void) | undefined;
  /** Whether a last row can take all that the others leave. */
  readonly isLastTheRest: boolean;
  /** Columns that may have whole numbers only. */
  readonly whole: readonly Fields[];
  readonly onWhole: (column: Fields) => void;
}

function FindingActions({
  finding: { witness },
  cells,
  onRun,
  onAddTest,
  onAddRow,
  isLastTheRest,
  whole,
  onWhole,
}: FindingActionsProps) {
  const fact = witness !== null && isObject(witness.fact) ? formatJson(witness.fact) : null;
  const offers: readonly (readonly [name: string, act: (() => void) | false | undefined])[] = [
    ['Run it', fact !== null && (() => onRun(fact))],
    ['Make it a test …', fact !== null && onAddTest && (() => onAddTest(fact))],
    ...whole.map((column) => {
      const name = textOf(column['name']) || textOf(column['field']);
      return [`${name} has whole numbers only`, () => onWhole(column)] as const;
    }),
    [
      cells === null ? 'Add a row for this example' : 'Add a row for all of this',
      witness !== null && onAddRow && (() => onAddRow({ cells, input: witness.input })),
    ],
    ['Let the last row take everything else', isLastTheRest && onAddRow && (() => onAddRow(null))],
  ];
  return (
    <div class="actions">{offers.map(([name, act]) => act && <Button name={name} key={name} onClick={act} />)}</div>
  );
}

interface WitnessProps {
  readonly kind: Finding['kind'];
  readonly witness: NonNullable<Finding['witness']>;
}

// Where no row took what was given, the result has it again, and nobody wants to compare two lists; how a run failed is told
// before.
const Witness = ({ kind, witness: { fact, input, result } }: WitnessProps) => (
  <>
    <ValuesLine value={fact ?? input} />
    {kind !== 'fails' && (
      <>
        {' '}
        → <ValuesLine value={kind === 'gap' ? givenBeside(result, fact ?? input) : result} />
      </>
    )}
    {fact === null && <span class="soft"> (what goes into the table: no fact was found that leads there)</span>}
  </>
);
