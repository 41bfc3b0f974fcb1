import { formatJson } from '../api/exactJson.js';
import type { Analysis, Model } from '../api/types.js';
import { isObject, rowsOf, ruleIndexes, textOf, type Fields } from '../graph/fields.js';
import { isLastRowTheRest } from '../editor/gapRow.js';
import { loadPart } from '../parts/loadPart.js';
import { Button, Section } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import type { SoughtPart } from '../editor/marks.js';
import { belowEmpty } from './belowEmpty.js';
import { inRuns } from './inRuns.js';
import { rowNumbers } from '../graph/fields.js';
import { givenBeside, inFractions, worded } from './worded.js';
import { Table, type Column, OwnName } from '../parts/table.js';
import { ValuesLine } from '../parts/values.js';

type TableAnalysis = Analysis['tables'][number];
type Finding = TableAnalysis['findings'][number];

interface TableFindingsProps {
  readonly table: TableAnalysis;
  readonly model: Model;
  /** Shows the table, or a cell of it. */
  readonly onChoose: (cell: SoughtPart['cell']) => void;
  /** @param fact JSON */
  readonly onRun: (fact: string) => void;
  /** Makes a test of it, once somebody has said what it should give; undefined where nothing is changed. */
  readonly onAddTest: ((fact: string) => void) | undefined;
  /** Puts a row into a table; undefined where it cannot be changed. @param gap its cells by field; null for all that is left */
  readonly onAddRow: ((nodeId: string, gap: ReadonlyMap<string, string> | null) => void) | undefined;
  /** Takes a row out of the table; undefined where it cannot be changed. @param rule what reports call it */
  readonly onDelete: ((rule: string) => void) | undefined;
  /** Says that a column of the table has whole numbers only; undefined where it cannot be changed. */
  readonly onWhole: ((column: Fields) => void) | undefined;
}

/** What is proved of a table, each finding with a fact that shows it and what can be done about it. */
export function TableFindings({
  table,
  model,
  onChoose,
  onRun,
  onAddTest,
  onAddRow,
  onDelete,
  onWhole,
}: TableFindingsProps) {
  const { nodeId, node, findings } = table;
  const content = model.nodes.find(({ id }) => id === nodeId)?.content;
  const rows = ruleIndexes(rowsOf(content, 'rules'));
  const { empty, told } = belowEmpty(findings, content);
  // Rows are added to a draft alone.
  const { value: parts } = useLoaded(
    async () => (onAddRow === undefined ? null : loadPart(import('../tests/draftParts.js'))),
    [onAddRow === undefined],
  );
  const offersOf = ({ kind, status, rules, message, witness }: Finding): readonly Offer[] => {
    const fact = witness !== null && isObject(witness.fact) ? formatJson(witness.fact) : null;
    const row = kind === 'gap' && witness !== null && parts ? parts.gapCells(message, witness.input, content) : null;
    const [dead, ...others] = status === 'proved' && useless.includes(kind) ? rules : [];
    if (others.length > 0 && empty !== null)
      return [
        [`Fill row ${empty.row + 1}`, onDelete && (() => onChoose({ row: empty.row, column: '' }))],
        [`Delete row ${empty.row + 1}`, onDelete && (() => onDelete(empty.rule))],
      ];
    return [
      ['Run it', fact !== null && (() => onRun(fact))],
      ['Make it a test …', fact !== null && onAddTest && (() => onAddTest(fact))],
      [
        row?.isAll === true ? 'Add a row for all of this' : 'Add a row for this example',
        row !== null && (() => onAddRow?.(nodeId, row.cells)),
      ],
      [
        `Delete row ${(rows.get(dead ?? '') ?? 0) + 1}`,
        dead !== undefined && others.length === 0 && rows.has(dead) && onDelete && (() => onDelete(dead)),
      ],
    ];
  };
  // What mends every gap stands once.
  const gaps = findings.filter(({ kind }) => kind === 'gap');
  const fractions = new Map(onWhole === undefined ? [] : gaps.flatMap(({ message }) => inFractions(message, content)));
  const ofAll: readonly Offer[] = [
    ...[...fractions].map(([column, what]): Offer => {
      const name = textOf(column['name']) || textOf(column['field']);
      return [`${name} has whole ${what} only`, () => onWhole?.(column)];
    }),
    [
      'Add a last row for everything else',
      gaps.length > 0 && isLastRowTheRest(content) && onAddRow && (() => onAddRow(nodeId, null)),
    ],
  ];
  const columns: readonly Column<Finding>[] = [
    [
      'What',
      ({ kind, status, message }) => (
        <>
          {status === 'unknown' ? (
            <span class="mark">not decided</span>
          ) : (
            <span class={`mark ${kinds[kind][1]}`}>{kinds[kind][0]}</span>
          )}{' '}
          <span>{worded(message, content)}</span>
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
            {rowNumbers(rules.map((rule) => (rows.has(rule) ? (rows.get(rule) ?? 0) + 1 : rule)))}
          </>
        ),
    ],
    ['Status', ({ status }) => status],
    ['Shown by', ({ kind, witness }) => witness !== null && <Witness {...{ kind, witness }} />, 'wrapped'],
    ['Actions', (finding) => <div class="actions">{buttonsOf(offersOf(finding))}</div>],
  ];
  return (
    <Section
      label={`Findings in ${node}`}
      title={<Button name={node} class="link" onClick={() => onChoose(null)} />}
      actions={buttonsOf(ofAll)}
    >
      <Table label={`Findings in ${node}`} columns={columns} rows={inRuns(told)} isOneStop />
    </Section>
  );
}

/** Something that can be done; not where there is nothing to do. */
type Offer = readonly [name: string, act: (() => void) | false | undefined];

const buttonsOf = (offers: readonly Offer[]) =>
  offers.map(([name, act]) => act && <Button name={name} key={name} onClick={act} />);

/** What kinds of findings mean; those that harm are told from those that are only noted. */
const kinds: Readonly<Record<Finding['kind'], readonly [name: string, colour: string]>> = {
  gap: ['gap', 'warn'],
  shadowed: ['never reached', 'warn'],
  conflict: ['excludes itself', 'warn'],
  fails: ['fails', 'bad'],
  redundant: ['redundant', ''],
  overlap: ['overlap', ''],
};

/** Rows without which nothing changes. */
const useless: readonly Finding['kind'][] = ['shadowed', 'redundant', 'conflict'];

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
