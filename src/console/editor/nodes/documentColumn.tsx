import { useState } from 'preact/hooks';
import { rowsOf, textOf, type Fields } from '../../graph/fields.js';
import { Dialog } from '../../parts/dialog.js';
import { Choice, TextField } from '../../parts/entries.js';
import { columnTask, type ColumnDialogProps } from './columnDialog.js';

/** Types of FEEL that cells may have, what they are called here, and the kind of such a column. */
const types = [
  ['number', 'numbers', 'number'],
  ['string', 'texts', 'text'],
  ['boolean', 'true and false', 'boolean'],
  ['date', 'dates', 'date'],
  ['date and time', 'dates with times', 'dateTime'],
  ['time', 'times', 'time'],
] as const;

/** A column of a table of DMN: what an input reads, or what an output is called in the result. */
export function DocumentColumn({ content, task, onClose, onContent }: ColumnDialogProps) {
  const { isInput, present, dialog, withColumn } = columnTask(content, task);
  const [name, setName] = useState(textOf(present?.['name']));
  const [field, setField] = useState(textOf(present?.['field']));
  const [type, setType] = useState(textOf(present?.['typeRef']));
  const outputs = rowsOf(content, 'outputs');
  const count = outputs.length + (isInput || present !== undefined ? 0 : 1);
  const given = Array.isArray(content['given']) ? (content['given'] as readonly string[]).join(', ') : '';
  const own = textOf(present?.['typeRef']);
  const known = types.find(([each]) => each === type);
  const submit = (): void => {
    const change = (column: Fields): Fields => ({
      ...{ ...column, name: name.trim() || field.trim(), field: field.trim(), typeRef: type },
      ...(type === own ? {} : { type: known?.[2] }),
    });
    // Of several outputs each is a member of the result, and needs a name for it.
    const named: Fields = {
      ...content,
      outputs: outputs.map((each) => (count > 1 && textOf(each['field']) === '' ? { ...each, field: 'result' } : each)),
    };
    onContent(withColumn(named, change));
  };
  return (
    <Dialog {...dialog} onClose={onClose} onSubmit={submit}>
      <TextField name="Name" value={name} maxLength={200} onChange={setName} />
      <TextField
        name={isInput ? 'Reads' : 'Called in the result'}
        value={field}
        maxLength={1000}
        spellcheck={false}
        required={isInput || count > 1}
        onChange={setField}
      />
      <Choice
        name="Cells"
        value={type}
        options={[
          ['', isInput ? 'of the type of what it reads' : 'of any type'],
          ...(known === undefined && type !== '' ? [[type, type] as const] : []),
          ...types.map(([each, words]) => [each, words] as const),
        ]}
        onChange={setType}
      />
      <p class="soft small">
        {isInput
          ? `An expression of FEEL${given === '' ? '' : `, over what the decision requires: ${given}`}. `
          : count > 1
            ? 'The result has a member of this name for each output. '
            : ''}
        What a decision requires, types, lists of values, annotations and the order of columns are changed in a DMN
        modeler: “Replace”, on the decision’s page, brings the file back.
      </p>
    </Dialog>
  );
}
