import { Few } from '../parts/table.js';
import type { Fault, Model } from '../api/types.js';
import { withContent } from '../editor/modelEdits.js';
import { RepairName } from '../editor/nodes/cellLine.js';
import { readingsOf } from '../editor/repairs.js';
import { sheetOf, withCells } from '../editor/sheet.js';
import { named, severityWord, told } from '../parts/faultWords.js';
import { Button, count } from '../parts/small.js';
import { useLayout } from './layout.js';
import type { RowFinding, SoughtPart } from '../editor/marks.js';
import { cellOf } from '../editor/soughtCell.js';
import type { CheckedFaults } from '../model/useFaults.js';
import type { Draft } from './useDraft.js';

interface FaultStripProps {
  readonly draft: Draft;
  readonly checked: CheckedFaults;
  /** What is proved of rows and tables. */
  readonly findings: readonly RowFinding[];
  /** How many cells can be put right. */
  readonly repairs: number;
  readonly onRepairs: () => void;
  readonly onSeek: (target: SoughtPart) => void;
}

const severityMarks = { error: '✕', warning: '△', unknown: '?' } as const satisfies Record<Fault['severity'], string>;

/** The faults of the draft, each a line: where it is, what is wrong, and how it is put right. */
export function FaultStrip({ draft, checked, findings, repairs, onRepairs, onSeek }: FaultStripProps) {
  const { faults, status, again } = checked;
  const [isOpen, setOpen] = useLayout('areFaultsOpen');
  const errors = faults.filter(({ severity }) => severity === 'error');
  const warnings = faults.filter(({ severity }) => severity === 'warning').length;
  const dead = findings.flatMap(({ kind, rules }) => (kind === 'shadowed' || kind === 'conflict' ? rules : []));
  const inOrder = [...errors, ...faults.filter(({ severity }) => severity !== 'error')];
  return (
    <section aria-label="Faults" aria-live="polite" class={`faults${isOpen ? ' open' : ''}`}>
      <div class="fault-line">
        <Button
          name={isOpen ? '▾' : '▸'}
          class="quiet"
          aria-label="List of faults"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        {errors.length > 0 && <b class="bad">{count(errors.length, 'error')}</b>}
        {warnings > 0 && <b class="warn">{count(warnings, 'warning')}</b>}
        {repairs > 0 && <Button name={`Repair ${count(repairs, 'cell')} …`} onClick={onRepairs} />}
        {status === 'checking' && <span class="soft">The draft is being checked …</span>}
        {status === 'stopped' && (
          <>
            <span class="warn">
              {errors.length + warnings === 0 ? 'Faults are not known' : 'Further faults are not known'}: the check of
              the draft did not end.
            </span>
            <Button name="Check again" onClick={again} />
          </>
        )}
        {faults.length === 0 && status === 'known' && (
          <span class={dead.length === 0 ? 'soft' : 'warn'}>
            {dead.length === 0
              ? `No faults.${findings.length === 0 ? '' : ` ${count(findings.length, 'finding')}: see Analysis.`}`
              : `△ No fault in a cell, but ${count(dead.length, 'row')} that can never match: see Analysis.`}
          </span>
        )}
      </div>
      {isOpen && (
        <ul tabIndex={0} aria-label="Faults, one by one">
          {/* The rest stands at its cells. */}
          <Few of={inOrder} most={50}>
            {(fault) => <FaultRow key={`${fault.pointer ?? ''} ${fault.message}`} {...{ draft, fault, onSeek }} />}
          </Few>
        </ul>
      )}
    </section>
  );
}

function FaultRow({ draft, fault, onSeek }: Pick<FaultStripProps, 'draft' | 'onSeek'> & { readonly fault: Fault }) {
  const { severity, node, nodeId, field, excerpt } = fault;
  // A member of a node's content, such as `content.key`, is nothing that anybody sees; the message says what is meant.
  const location = named([node, field?.replace(/^content\.\w+$/, '')].filter(Boolean).join(', '));
  const { cell, repairs } = repairsAt(draft.model, fault);
  const where = nodeId === null ? undefined : { nodeId, cell };
  return (
    <li class={`fault-row ${severity}`}>
      <span>
        <span aria-hidden="true">{severityMarks[severity]} </span>
        <span class="visually-hidden">{severityWord(severity)}: </span>
        {where === undefined ? (
          <b>{location}</b>
        ) : (
          // A link: a button of a node's name is the node itself.
          <a
            href={`?node=${encodeURIComponent(where.nodeId)}`}
            onClick={(event) => {
              event.preventDefault();
              onSeek(where);
            }}
          >
            {location}
          </a>
        )}{' '}
        {excerpt !== null && <code>{excerpt}</code>} {told(fault)}
      </span>
      {repairs.map(({ text, change }) => (
        <Button
          key={text}
          onClick={({ currentTarget }) => {
            // The button goes with its fault.
            currentTarget.closest('ul')?.focus();
            draft.edit(change);
          }}
        >
          <RepairName text={text} />
        </Button>
      ))}
    </li>
  );
}

interface Repair {
  readonly text: string;
  readonly change: (model: Model) => Model;
}

/** The cell that a fault is about, and what can be written there in its place. */
function repairsAt(
  model: Model,
  fault: Fault,
): { readonly cell: SoughtPart['cell']; readonly repairs: readonly Repair[] } {
  const at = model.nodes.findIndex(({ id }) => id === fault.nodeId);
  const node = model.nodes[at];
  const cell = cellOf(fault, at);
  const sheet = node && sheetOf(node);
  const index = sheet?.columns.findIndex(({ id }) => id === cell?.column) ?? -1;
  if (node === undefined || sheet === undefined || cell === null || index < 0) return { cell, repairs: [] };
  const texts = readingsOf(sheet, { row: cell.row, index, told: [fault] });
  return {
    cell,
    repairs: texts.map((text) => ({
      text,
      change: (before) => withContent(before, node.id, withCells(sheet, [{ row: cell.row, column: index, text }])),
    })),
  };
}
