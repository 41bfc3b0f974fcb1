import { useState } from 'preact/hooks';
import { ApiError, errorsIn } from '../api/client.js';
import { sheetOf } from '../api/operations.js';
import type { RoutedDeployment } from '../deployments/inForce.js';
import { fieldOf, type Field } from '../facts/fields.js';
import { Action, saveFile } from '../parts/action.js';
import { Dialog } from '../parts/dialog.js';
import { Choice } from '../parts/entries.js';
import { FileField } from '../parts/fileField.js';
import { loadPart } from '../parts/loadPart.js';
import { Button, versionName } from '../parts/small.js';
import type { Names } from '../parts/useNames.js';
import { useSession } from '../shell/session.js';

/** A file that was run, and what came of it. */
export interface RanFile {
  readonly name: string;
  /** The file with an answer beside each row. */
  readonly answers: Blob;
  readonly requestId: string | null;
  readonly completed: number;
  /** Those that completed with nothing, as where no row of a table matched. */
  readonly nothings: number;
  readonly failed: number;
  /** More were recorded than were counted. */
  readonly hasMore: boolean;
}

interface RunFileProps {
  readonly names: Names;
  readonly deployments: readonly RoutedDeployment[];
  /** Offered first. */
  readonly decisionId: string | null;
  readonly onRan: (ran: RanFile) => void;
  readonly onClose: () => void;
}

const mostCounted = 5000;

/** Executes what is in force on each row of a spreadsheet: its answer is the same file with what came of each. */
export function RunFile({ names, deployments, decisionId, onRan, onClose }: RunFileProps) {
  const { api } = useSession();
  const inForce = deployments.filter((each) => each.inForce);
  const [chosen, setChosen] = useState(
    (inForce.find((each) => each.decisionId === decisionId) ?? inForce[0])?.id ?? '',
  );
  const [file, setFile] = useState<File | null>(null);
  const [asked, setAsked] = useState<readonly string[]>([]);
  const target = inForce.find(({ id }) => id === chosen);
  if (target === undefined) {
    return (
      <Dialog title="Run a file" cancel="Close" onClose={onClose}>
        <p>A file is run by what is deployed: deploy a decision first.</p>
      </Dialog>
    );
  }
  const run = async (): Promise<void> => {
    if (file === null) return;
    const { environmentId, decisionId: id } = target;
    const others = asked.length > 0 ? ('taken' as const) : undefined;
    const { body, requestId, headers } = await api
      .send(
        'POST /logic/{environmentId}/decisions/{decisionId}/batches',
        { environmentId, decisionId: id, meant: 'true', others, body: sheetOf(file) },
        { isFile: true },
      )
      .catch((error: unknown) => {
        const questions = questionsIn(error);
        if (questions.length === 0) throw error;
        setAsked(questions);
        throw new Error('Nothing was run: the columns of the file are not the fields that the decision takes.');
      });
    const answers = body as Blob;
    const { data } = await api.page('GET /logic/executions', { requestId, size: mostCounted });
    const completed = data.filter(({ status }) => status === 'COMPLETED').length;
    const name = file.name.replace(/(\.\w+)$/, '.results$1');
    onRan({
      ...{ name, answers, requestId, completed, nothings: Number(headers.get('X-Nothing-Count')) },
      failed: (data.length === mostCounted ? data.length : Number(headers.get('X-Row-Count'))) - completed,
      hasMore: data.length === mostCounted,
    });
    saveFile(answers, name);
  };
  const template = async (): Promise<void> => {
    const { decisionId: id, version } = target;
    const [{ input }, { csvCell }] = await Promise.all([
      api.ask('GET /logic/decisions/{id}/versions/{version}/schema', { id, version }),
      loadPart(import('../../../workers/cells/pages.js')),
    ]);
    const columns = ['reference', ...columnsOf(fieldOf(input))];
    const line = `${columns.map((each) => csvCell(each)).join(',')}\r\n`;
    saveFile(new Blob([line], { type: 'text/csv' }), `${names.keyOf(id).replaceAll('/', '-')}.csv`);
  };
  return (
    <Dialog
      title="Run a file"
      action={asked.length > 0 ? 'Run all the same' : 'Run'}
      isOff={file === null}
      onClose={onClose}
      onSubmit={run}
    >
      <Choice
        name="Deployed decision"
        value={chosen}
        options={inForce.map(({ id, decisionId: of, version, environmentId }) => [
          id,
          `${names.keyOf(of)} ${versionName(version)} in ${names.environmentOf(environmentId)?.name ?? environmentId}`,
        ])}
        onChange={(next) => {
          setChosen(next);
          setAsked([]);
        }}
      />
      <FileField
        name="File (.xlsx or .csv)"
        accept=".xlsx,.csv"
        required
        onFile={(next) => {
          setFile(next);
          setAsked([]);
        }}
      />
      {asked.length > 0 && <Columns asked={asked} />}
      <p class="soft small">
        Each row is a case, each column a field of its fact; a column <code>reference</code> names the case, as lists
        show it. The answer is the same file with what came of each row. Each row is recorded as an execution, as if a
        system had asked.
      </p>
      <div class="actions">
        <Action name="A file to fill" icon="download" work={template} />
      </div>
    </Dialog>
  );
}

/** What the service asks of a file's columns before it runs a row. */
const questionsIn = (error: unknown): readonly string[] =>
  error instanceof ApiError
    ? errorsIn(error.body).flatMap(({ pointer, message }) => (pointer === '/others' ? [message] : []))
    : [];

const Columns = ({ asked }: { readonly asked: readonly string[] }) => (
  <section aria-label="Columns">
    <h3>Columns</h3>
    <ul>
      {asked.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
    <p class="soft small">
      Correct the titles and choose the file again. Run all the same, and each row is decided without these fields.
    </p>
  </section>
);

/** The columns of a file of facts: what is within a list stands in one cell, as JSON. */
const columnsOf = ({ fields }: Field, path = ''): readonly string[] =>
  [...fields].flatMap(([name, field]) =>
    field.kind === 'object' && field.fields.size > 0 ? columnsOf(field, `${path}${name}.`) : [`${path}${name}`],
  );

/** An answer says no more than that. */
const emptyAnswer =
  '{} as the answer means that nothing came of a row, as where no row of a table matched: the list has “nothing” for it, and its page says why.';

/** What came of a file, and the file once more. */
export const Ran = ({ ran: { name, answers, completed, nothings, failed, hasMore } }: { readonly ran: RanFile }) => (
  <div class="actions">
    <p role="status">
      {hasMore && `Of ${mostCounted} executions `}
      {completed} completed, {nothings > 0 && <span class="warn">{nothings} of them with nothing, </span>}
      <span class={failed > 0 ? 'bad' : ''}>{failed} failed</span>. {name} has the answer beside each row, and why where
      one could not be run. {nothings > 0 && emptyAnswer}
    </p>
    <Button name="Download it again" onClick={() => saveFile(answers, name)} />
  </div>
);
