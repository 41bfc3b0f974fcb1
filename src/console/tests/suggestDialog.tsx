import { isSame } from '../api/sameJson.js';
import type { ModelTest, Suggestions, TestReport } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { Shown, count } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { ValuesLine } from '../parts/values.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { useTicked } from './ticked.js';
import { decidedIn } from '../facts/passedOn.js';

interface SuggestDialogProps {
  /** Those that are there already. */
  readonly present: readonly ModelTest[];
  readonly decisionId: string;
  readonly onAdd: (tests: readonly ModelTest[]) => void;
  readonly onClose: () => void;
}

/** Few tests that reach what can be reached of the working copy; the person reads what they expect, and takes those that are right. */
export function SuggestDialog({ decisionId, present, onAdd, onClose }: SuggestDialogProps) {
  const { api } = useSession();
  const suggested = useLoaded(async () => {
    const [found, { coverage }] = await Promise.all([
      api.suggestTests(decisionId),
      api.ask('POST /logic/decisions/{id}/tests', { id: decisionId, body: { version: 0 } }),
    ]);
    return withoutPresent(withoutReached(found, coverage), present);
  }, [api, decisionId]);
  const tests = suggested.value?.tests ?? [];
  const { chosen, column } = useTicked(tests);
  const columns: readonly Column<Suggestions['tests'][number]>[] = [
    column,
    ['Given', ({ input }) => <ValuesLine value={input} />, 'wrapped'],
    ['Expected', (test) => <ValuesLine value={decidedIn(test)} />, 'wrapped'],
  ];
  return (
    <Dialog
      title="Suggested tests"
      action={`Add ${count(chosen.length, 'test')}`}
      isOff={chosen.length === 0}
      isWide
      onClose={onClose}
      onSubmit={() => onAdd(chosen.map(({ name, input, output }) => ({ name, input, output })))}
    >
      <p class="soft">They expect what the model gives now: read that before you keep them.</p>
      <Shown loaded={suggested}>
        {({ unreachable, unknown, reached }) => (
          <>
            <Table label="Suggested tests" columns={columns} rows={tests} isOneStop />
            <p class="soft small">
              {tests.length === 0 && 'None was found. '}
              {reached > 0 && `Of ${rowsText(reached)} there are tests already. `}
              {unreachable.length > 0 && `${rowsText(unreachable.length)} cannot be reached. `}
              {unknown.length > 0 && `Of ${unknown.length} it is not known.`}
            </p>
          </>
        )}
      </Shown>
    </Dialog>
  );
}

const rowsText = (many: number): string => count(many, 'row or branch', 'rows or branches');

/** Without tests of facts that are tested already. */
const withoutPresent = <Found extends Suggestions>(found: Found, present: readonly ModelTest[]): Found => ({
  ...found,
  tests: found.tests.filter(({ input }) => !present.some((test) => isSame(test.input, input))),
});

/** Without tests of rows and branches that those of the model reach already, and of how many that is so. */
function withoutReached(
  found: Suggestions,
  { rules }: TestReport['coverage'],
): Suggestions & { readonly reached: number } {
  const known = new Set(
    rules.flatMap(({ nodeId, ruleId, hits }) => (hits > 0 ? [JSON.stringify([nodeId, ruleId])] : [])),
  );
  const isKnown = ({ nodeId, ruleId }: Suggestions['tests'][number]['reaches'][number]): boolean =>
    known.has(JSON.stringify([nodeId, ruleId]));
  const own = found.tests.filter(({ reaches }) => reaches.length > 0 && reaches.every(isKnown));
  const reached = own.reduce((sum, { reaches }) => sum + reaches.length, 0);
  return { ...found, tests: found.tests.filter((test) => !own.includes(test)), reached };
}
