import { useState } from 'preact/hooks';
import { columnKinds, kindNames, withKind, type ColumnKind } from '../../../../workers/cells/index.js';
import { rowsOf, textOf, type Fields } from '../../graph/fields.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, TextField, Tick } from '../../parts/entries.js';
import { fieldRead, columnPosition, newField, withColumnChanged, withColumnInserted } from '../columnEdits.js';
import { saidKind } from '../readColumn.js';

/** What is to be done about a column; `at` -1 is after the last one. */
export type ColumnTask =
  | { readonly kind: 'change'; readonly column: number }
  | { readonly kind: 'add'; readonly list: 'inputs' | 'outputs'; readonly at: number };

export interface ColumnDialogProps {
  readonly content: Fields;
  readonly task: ColumnTask;
  readonly onClose: () => void;
  readonly onContent: (content: Fields) => void;
}

/** What there is of the column, what its dialog is called, and what puts it into the table. */
export function columnTask(content: Fields, task: ColumnTask) {
  const isChange = task.kind === 'change';
  const { list, at } = isChange ? columnPosition(content, task.column) : task;
  const isInput = list === 'inputs';
  return {
    isInput,
    present: isChange ? rowsOf(content, list)[at] : undefined,
    dialog: {
      title: `${isChange ? 'Change' : 'New'} ${isInput ? 'input' : 'output'}`,
      action: isChange ? 'Change' : 'Add',
    },
    withColumn: (table: Fields, change: (column: Fields) => Fields): Fields =>
      isChange
        ? withColumnChanged(table, task.column, change)
        : withColumnInserted(table, list, at < 0 ? rowsOf(table, list).length : at, change),
  };
}

/** The name of a column, and the field that it reads or writes. */
export function ColumnDialog({ content, task, onClose, onContent }: ColumnDialogProps) {
  const { isInput, present, dialog, withColumn } = columnTask(content, task);
  const [name, setName] = useState(textOf(present?.['name']));
  /** Null until somebody types one: it is derived from the name. */
  const [typed, setTyped] = useState(present === undefined ? null : textOf(present['field']));
  const field = typed ?? newField(content, name, !isInput);
  const said = saidKind(present);
  const [kind, setKind] = useState<ColumnKind | null>(said?.kind ?? null);
  const [values, setValues] = useState(said?.values.join('\n') ?? '');
  const read = isInput ? fieldRead(field) : field.trim();
  const [isWhole, setWhole] = useState(present?.['_whole'] === true);
  const unit = textOf(present?.['_unit']);
  const [isInUnit, setInUnit] = useState(unit !== '');
  const mayBeWhole = isInput && (kind === null || kind === 'number');
  return (
    <Dialog
      {...dialog}
      onClose={onClose}
      onSubmit={() => {
        const fields = { name: name.trim() || field.trim(), field: read };
        const listed = values.split('\n').flatMap((value) => value.trim() || []);
        const kinded = (column: Fields): Fields =>
          kind === (said?.kind ?? null) && listed.join('\n') === (said?.values.join('\n') ?? '')
            ? { ...column, ...fields }
            : withKind({ ...column, ...fields }, kind ?? undefined, listed);
        const change = (column: Fields): Fields => {
          const { _whole, _unit, ...rest } = kinded(column);
          return {
            ...rest,
            ...(isWhole && mayBeWhole && { _whole: true }),
            ...(isInUnit && { _unit }),
          };
        };
        onContent(withColumn(content, change));
      }}
    >
      <TextField name="Name" value={name} maxLength={200} onChange={setName} />
      <TextField
        name="Field"
        value={field}
        maxLength={200}
        spellcheck={false}
        required={!isInput}
        placeholder={isInput ? 'customer.age' : 'rate'}
        onChange={setTyped}
      />
      {read !== field.trim() && (
        <p class="soft small" role="status">
          A name with such signs is read as <code>{read}</code>.
        </p>
      )}
      <Choice
        name="Cells"
        value={kind ?? ''}
        options={[['', 'guessed from the cells'], ...columnKinds.map((each) => [each, kindNames[each]] as const)]}
        onChange={(chosen) => setKind(chosen === '' ? null : chosen)}
      />
      {kind === 'list' && <TextField name="Texts, one a line" rows={4} value={values} onChange={setValues} />}
      {mayBeWhole && (
        <Tick name="Whole numbers only: nothing lies between 5 and 6" checked={isWhole} onChange={setWhole} />
      )}
      {unit !== '' && <Tick name={`Its numbers are in ${unit}`} checked={isInUnit} onChange={setInUnit} />}
      <p class="soft small">
        {isInput
          ? 'Cells are conditions on this field: "DE", > 5, [1..10]. Without a field they are whole conditions.'
          : 'The value of a cell is written to this field.'}
      </p>
    </Dialog>
  );
}
