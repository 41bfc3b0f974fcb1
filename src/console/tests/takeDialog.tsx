import type { ModelTest } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import { Dialog } from '../parts/dialog.js';
import { each } from '../parts/each.js';
import { count, Shown } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { TestDifferences, testName } from './failedTests.js';
import { useTicked } from './ticked.js';
import { differencesOf } from './differences.js';

interface TakeDialogProps extends Pick<Subject, 'evaluate'> {
  readonly tests: readonly ModelTest[];
  /** The indices of those that fail. */
  readonly red: readonly number[];
  /** Is given what takes the place of each. */
  readonly onTake: (taken: ReadonlyMap<ModelTest, ModelTest>) => void;
  readonly onClose: () => void;
}

interface Given {
  readonly name: string;
  readonly test: ModelTest;
  readonly output: unknown;
}

/** What tests that fail give now, which is right where the model was changed on purpose: the person reads it, and takes it for all at once. */
export function TakeDialog({ tests, red, evaluate, onTake, onClose }: TakeDialogProps) {
  // As it was opened: what is taken has to be what is read.
  const given = useLoaded(async (signal) => {
    const found = await each(red, async (index): Promise<Given | null> => {
      const test = tests[index] ?? { input: {} };
      const ran = await evaluate(JSON.stringify(test.input), signal).catch(() => null);
      return ran && { name: testName(test, index), test, output: ran.result };
    });
    // One that does not run gives nothing that could be taken.
    return found.filter((each) => each !== null);
  }, []);
  const { chosen, column } = useTicked(given.value ?? []);
  const columns: readonly Column<Given>[] = [
    column,
    [
      'What changes',
      ({ test, output }) => <TestDifferences differences={differencesOf(test.output, output)} />,
      'wrapped',
    ],
  ];
  return (
    <Dialog
      title="Take what they give now"
      action={`Change ${count(chosen.length, 'test')}`}
      isOff={chosen.length === 0}
      isWide
      onClose={onClose}
      onSubmit={() => onTake(new Map(chosen.map(({ test, output }) => [test, { ...test, output }])))}
    >
      <p class="soft">Where the model is right now, and what they expect is of before.</p>
      <Shown loaded={given}>
        {(rows) => <Table label="What they give now" columns={columns} rows={rows} isOneStop />}
      </Shown>
    </Dialog>
  );
}
