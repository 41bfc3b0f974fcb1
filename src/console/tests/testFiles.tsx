import { useRef, useState } from 'preact/hooks';
import { formatJson } from '../api/exactJson.js';
import { isSame } from '../api/sameJson.js';
import { sheetOf } from '../api/operations.js';
import type { Evaluation, Fault, ModelTest } from '../api/types.js';
import { fileFaults } from '../editor/fileFaults.js';
import { Question } from '../editor/question.js';
import { saveFile } from '../parts/action.js';
import { each } from '../parts/each.js';
import { Tick } from '../parts/entries.js';
import { Dialog } from '../parts/dialog.js';
import { Failure } from '../parts/failure.js';
import { isUnread, severityWord } from '../parts/faultWords.js';
import { HiddenFile } from '../parts/hiddenFile.js';
import { Button, count } from '../parts/small.js';
import { Few, Table, type Column } from '../parts/table.js';
import { ValuesLine } from '../parts/values.js';
import { useWork } from '../parts/useWork.js';
import { useSession } from '../shell/session.js';
import { decidedIn, othersIn, withOthers, withPassedOn } from '../facts/passedOn.js';
import { isObject } from '../graph/fields.js';

interface TestFilesProps {
  readonly decision: { readonly id: string; readonly key: string };
  /** Those of the working copy, of which files are. */
  readonly tests: readonly ModelTest[];
  /** The draft is another one by now. */
  readonly isOff: boolean;
  readonly evaluate: (fact: string) => Promise<Evaluation>;
  readonly onTests: (tests: readonly ModelTest[]) => void;
}

/** What a file has. */
interface Read {
  readonly name: string;
  readonly tests: readonly Tried[];
  readonly faults: readonly Fault[];
  /** What it says of results, and of what comes in: all else is as it is now. */
  readonly said: ReadonlySet<string>;
}

/** A test, and what the decision gives for it now, where it was run. */
interface Tried {
  readonly test: ModelTest;
  readonly result: unknown;
}

const formats = ['xlsx', 'csv'] as const;

/** So many are run before they are shown, for what the decision passes on. */
const mostRun = 300;

/** Buttons by which tests go out to a spreadsheet and come back; what comes back is shown before it is in the draft. */
export function TestFiles({ decision: { id, key }, tests, isOff, evaluate, onTests }: TestFilesProps) {
  const { api } = useSession();
  const [read, setRead] = useState<Read | null>(null);
  const { busy, failure, run } = useWork();
  const field = useRef<HTMLInputElement>(null);
  const save = async (format: (typeof formats)[number]): Promise<void> => {
    const file = await api.listFile(`GET /logic/decisions/{id}/tests.${format}`, { id }, '*/*');
    saveFile(file, `${key.replace(/^.*\/|\.(?:json|dmn)$/g, '')} tests.${format}`);
  };
  const look = async (file: File): Promise<void> => {
    const format = /\.csv$/i.test(file.name) ? 'csv' : 'xlsx';
    const asked = { id, dryRun: 'true', body: sheetOf(file) } as const;
    const { content, faults } = await api.ask(`PUT /logic/decisions/{id}/tests.${format}`, asked);
    const { tests: found = [] } = content as { readonly tests?: readonly ModelTest[] };
    const isUsual = found.length <= mostRun;
    const said = new Set(found.flatMap(({ input, output }) => [...namesIn(input), ...namesIn(output)]));
    const whole = await each(found, async (test): Promise<Tried> => {
      if (!isUsual || tests.some((before) => isSame(before, test))) return { test, result: null };
      const given = await evaluate(formatJson(test.input)).catch(() => null);
      // Of a document of DMN it is said which of its decisions are meant.
      const result = 'select' in test ? null : given?.result;
      return { test: withPassedOn(test, given?.result), result };
    });
    setRead({ name: file.name, tests: whole, said, faults: faults.filter(({ nodeId }) => nodeId === null) });
  };
  return (
    <>
      {formats.map((format) => (
        <Button
          key={format}
          name={format === 'csv' ? '.csv' : `Tests as .${format}`}
          aria-label={`Tests as .${format}`}
          disabled={isOff || busy || tests.length === 0}
          onClick={() => void run(() => save(format))}
        />
      ))}
      <Button name="Tests from a file" disabled={isOff || busy} onClick={() => field.current?.click()} />
      <HiddenFile
        {...{ field }}
        name="Spreadsheet of tests"
        accept=".xlsx,.csv"
        onFile={(file) => void run(() => look(file))}
      />
      <Failure error={failure} />
      {read !== null && <TestsOfFile read={read} before={tests} onTake={onTests} onClose={() => setRead(null)} />}
    </>
  );
}

interface TestsOfFileProps {
  readonly read: Read;
  readonly before: readonly ModelTest[];
  readonly onTake: (tests: readonly ModelTest[]) => void;
  readonly onClose: () => void;
}

const mostLines = 100;

/** Which tests would come, change and go, and what is wrong with the file. */
function TestsOfFile({ read: { name, tests: tried, faults, said }, before, onTake, onClose }: TestsOfFileProps) {
  const others = [...new Set(tried.flatMap(({ result }) => othersIn(result, said).map(([other]) => other)))];
  const [fills, setFills] = useState(true);
  const tests = tried.map(({ test, result }) => (fills ? withOthers(test, result, said) : test));
  const [old, now] = [before, tests].map((each) => new Map(each.map((test) => [nameOf(test), test])));
  const missing = before.filter((test) => now?.has(nameOf(test)) === false).length;
  // Who brings some more does not mean to lose the others.
  const [keeps, setKeeps] = useState(missing > 0);
  const [leaves, setLeaves] = useState(false);
  const strange = leaves ? [] : faults.filter(isStranger);
  const told = faults.filter((fault) => !isStranger(fault));
  const both = [
    ...before.map((test) => now?.get(nameOf(test)) ?? test),
    ...tests.filter((test) => old?.has(nameOf(test)) === false),
  ];
  const after = keeps ? both : tests;
  const lines = changesOf(before, after);
  const columns: readonly Column<(typeof lines)[number]>[] = [
    ['Test', (line) => line.name, 'wrapped'],
    ['Change', ({ change }) => change],
    ['Given', ({ test }) => test && <ValuesLine value={test.input} />, 'wrapped'],
    ['Expected', ({ test }) => test && <ValuesLine value={decidedIn(test)} />, 'wrapped'],
  ];
  const isOff = strange.length > 0 || told.some(isUnread);
  const taking = { action: 'Take them over', isOff, onSubmit: () => onTake(after) };
  return (
    <Dialog title={`Import ${name}`} {...(lines.length === 0 ? { cancel: 'Close' } : taking)} isWide onClose={onClose}>
      <p>
        {lines.length === 0
          ? 'Nothing would change.'
          : `${count(tests.length, 'test')} of the file: ${countsOf(tests, old)}.${keeps ? '' : goneWith(missing)}`}
      </p>
      {missing > 0 && <Tick name="Keep the tests that the file does not have" checked={keeps} onChange={setKeeps} />}
      {others.length > 0 && (
        <Tick
          name={`Expect what the file has no column for as it is now: ${listed(others)}`}
          checked={fills}
          onChange={setFills}
        />
      )}
      {strange.length > 0 && (
        <Question
          title="Columns that are nothing of a test: leave them out?"
          about={fileFaults(strange)
            .map(({ place, text }) => `${place}: ${text}`)
            .join(' ')}
          answers={{
            [strange.length === 1 ? 'Leave this column out' : `Leave ${strange.length} columns out`]: () =>
              setLeaves(true),
          }}
        />
      )}
      <Few of={fileFaults(told)} most={20} as="p">
        {({ severity, place, text }) => (
          <div key={`${place} ${text}`} class={`fault ${severity}`}>
            <b>{severityWord(severity)}</b> {place}: {text}
          </div>
        )}
      </Few>
      {lines.length > 0 && <Table label="What would change" columns={columns} rows={lines} most={mostLines} />}
    </Dialog>
  );
}

/** The test is read without that column: nothing can stand in place of its heading. */
const isStranger = (fault: Fault): boolean => isUnread(fault) && fault.repair === '';

const namesIn = (value: unknown): readonly string[] => (isObject(value) ? Object.keys(value) : []);

const mostNamed = 6;
const listed = (names: readonly string[]): string =>
  `${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? `, and ${names.length - mostNamed} more` : ''}.`;

/** How many of a file's tests are new, changed and the same. */
function countsOf(tests: readonly ModelTest[], old: ReadonlyMap<string, ModelTest> | undefined): string {
  const changes = tests.map((test) => {
    const known = old?.get(nameOf(test));
    return known === undefined ? 'new' : isSame(known, test) ? 'the same' : 'changed';
  });
  return ['new', 'changed', 'the same']
    .map((change) => [changes.filter((each) => each === change).length, change] as const)
    .flatMap(([number, change]) => (number === 0 ? [] : [`${number} ${change}`]))
    .join(', ');
}

const goneWith = (missing: number): string =>
  missing === 0 ? '' : ` ${count(missing, 'test')} that it does not have would be removed.`;

/** By which it is known. */
const nameOf = ({ name, input }: ModelTest): string => name ?? JSON.stringify(input);

interface Line {
  readonly name: string;
  readonly change: string;
  /** As it would be, or was; null for all of them. */
  readonly test: ModelTest | null;
}

/** Tests are known by their names, and those without one by what they hold. */
function changesOf(before: readonly ModelTest[], after: readonly ModelTest[]): readonly Line[] {
  const [old, now] = [before, after].map((tests) => new Map(tests.map((test) => [nameOf(test), test])));
  const lineOf = (test: ModelTest, change: string): Line => ({ name: test.name ?? 'without a name', change, test });
  const added = [...(now ?? [])].flatMap(([name, test]) => {
    const known = old?.get(name);
    return isSame(known, test) ? [] : [lineOf(test, known === undefined ? 'added' : 'changed')];
  });
  const removed = [...(old ?? [])].flatMap(([name, test]) =>
    now?.has(name) === true ? [] : [lineOf(test, 'removed')],
  );
  const isMoved = added.length + removed.length === 0 && !isSame(before, after);
  return [...added, ...removed, ...(isMoved ? [{ name: 'all', change: 'in another order', test: null }] : [])];
}
