import type { Model } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import type { SoughtPart } from '../editor/marks.js';
import { Failure } from '../parts/failure.js';
import { Button, count, Loading } from '../parts/small.js';
import { Few } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { togetherIn, type Together } from './together.js';
import { worded } from './worded.js';

interface CrossingProps {
  readonly subject: Subject;
  /** The model as if all rows that hold were taken. */
  readonly content: Model;
  readonly onSeek: (target: SoughtPart) => void;
}

/** Which rows hold together, where the first one counts. */
export function Crossing({ subject: { decision, model }, content, onSeek }: CrossingProps) {
  const { api } = useSession();
  const {
    value: told,
    error,
    loading,
  } = useLoaded(
    async (signal) =>
      togetherIn(model, await api.analyse({ key: decision.key, content, search: false }, signal), content),
    [api, decision.key, model],
  );
  return (
    <>
      <Failure error={error} />
      <div role="status">
        {loading && <Loading />}
        {told !== null && told.found.length === 0 && (
          <p class="empty">
            {!told.isAll
              ? 'None was found; there are too many pairs to look at all of them.'
              : told.open.length > 0
                ? 'None was found.'
                : 'None: of two rows that take the same fact, one is a special case of the other.'}
          </p>
        )}
        {told !== null && told.found.length > 0 && (
          <ul>
            <Few of={told.found} most={20}>
              {({ nodeId, rows: [first, second], message }) => {
                const node = model.nodes.find(({ id }) => id === nodeId);
                return (
                  <li key={`${nodeId} ${first} ${second}`}>
                    <Button
                      name={`Row ${first + 1} of ${node?.name ?? nodeId}`}
                      class="link"
                      onClick={() => onSeek({ nodeId, cell: { row: first, column: '' } })}
                    />{' '}
                    counts before row {second + 1}: {worded(message, node?.content)}
                  </li>
                );
              }}
            </Few>
          </ul>
        )}
        {told !== null && told.open.length > 0 && (
          <p class="warn">
            Of {count(told.open.length, 'pair')} of rows it was not decided, such as rows {rowsIn(told.open[0])}.
          </p>
        )}
      </div>
    </>
  );
}

const rowsIn = ({ rows: [first, second] }: Pick<Together, 'rows'> = { rows: [0, 0] }): string =>
  `${first + 1} and ${second + 1}`;
