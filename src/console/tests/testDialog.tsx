import { useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/client.js';
import { formatJson, parseJson } from '../api/exactJson.js';
import type { ModelTest } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import { isDeclared } from '../facts/fields.js';
import { FactInput, faultOfFact, FactSource } from '../facts/factInput.js';
import { Dialog } from '../parts/dialog.js';
import { TextField } from '../parts/entries.js';
import { Button, Loading } from '../parts/small.js';
import { useSession } from '../shell/session.js';
import { withPassedOn } from '../facts/passedOn.js';

interface TestDialogProps {
  readonly title: string;
  /** What is to be tested. */
  readonly subject: Subject;
  /** What it begins with. */
  readonly test: ModelTest;
  readonly onSave: (test: ModelTest) => void;
  readonly onClose: () => void;
}

/** A test: its name, a fact, and what is expected of it. */
export function TestDialog({ title, subject, test, onSave, onClose }: TestDialogProps) {
  const { schemas, evaluate, model } = subject;
  const decisionId = subject.decision.id;
  const { api, facts } = useSession();
  const [name, setName] = useState(test.name ?? '');
  const [input, setInput] = useState(formatJson(test.input));
  const [output, setOutput] = useState(formatJson(test.output ?? {}));
  const [source, setSource] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const asked = useRef('');
  const take = async (chosen: string): Promise<void> => {
    setSource(chosen);
    asked.current = chosen;
    const [kind, id = ''] = chosen.split(':');
    if (kind === 'last') setInput(facts.last(decisionId)[Number(id)] ?? input);
    if (kind !== 'execution') return;
    const { fact, result } = await api.execution(id);
    if (asked.current !== chosen) return;
    setInput(unlessTyped(input, fact ?? {}));
    setOutput(unlessTyped(output, result));
  };
  const [isRunning, setRunning] = useState(false);
  const complain = (error: unknown): void => setFault(messageOf(error));
  const runNow = async (): Promise<void> => {
    const found = faultOfFact(input);
    setFault(found);
    if (found !== null) return;
    setRunning(true);
    try {
      setOutput(unlessTyped(output, (await evaluate(input)).result));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Dialog
      title={title}
      action="Save test"
      isWide
      onClose={onClose}
      onSubmit={async () => {
        const found = faultOfFact(input);
        setFault(found);
        if (found !== null) throw new Error('The fact cannot be read.');
        if (isRunning) throw new Error('What it gives now is not here yet: save it once it is.');
        const written = { ...test, name: name.trim(), input: parseJson(input), output: parseJson(output) };
        // Whatever may be wrong with the draft, a test of it can be written.
        const given = await evaluate(input).catch(() => null);
        onSave(withPassedOn(written, given?.result));
      }}
    >
      <TextField name="Name" value={name} required maxLength={255} onChange={setName} />
      <FactSource
        decisionId={decisionId}
        tests={[]}
        source={source}
        onChoose={(chosen) => void take(chosen).catch(complain)}
      />
      {schemas === null ? (
        <Loading />
      ) : (
        <>
          <fieldset class="fact-group">
            <legend>Given</legend>
            <FactInput
              label="Fact"
              schema={schemas.input}
              model={model}
              isDeclared={isDeclared(model, 'inputNode')}
              text={input}
              onText={setInput}
              fault={fault}
            />
          </fieldset>
          <fieldset class="fact-group">
            <legend>Expected, all of it</legend>
            <p class="soft small">What the decision passes on as it came is added by itself.</p>
            <FactInput
              label="Expected"
              schema={schemas.output}
              model={model}
              isDeclared={isDeclared(model, 'outputNode')}
              passedOn={schemas.input}
              text={output}
              onText={setOutput}
              fault={null}
            />
            <Button
              name={isRunning ? 'It runs …' : 'Take what it gives now'}
              disabled={isRunning}
              onClick={() => void runNow().catch(complain)}
            />
          </fieldset>
        </>
      )}
    </Dialog>
  );
}

/** What was asked for, in place of the text of then; what was typed meanwhile stays. */
const unlessTyped =
  (before: string, value: unknown) =>
  (now: string): string =>
    now === before ? formatJson(value) : now;
