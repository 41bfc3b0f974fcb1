import { formatJson } from '../api/exactJson.js';
import type { Model } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import { isObject } from '../graph/fields.js';
import { Failure } from '../parts/failure.js';
import { Button, Loading } from '../parts/small.js';
import { Few } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { ValuesLine } from '../parts/values.js';
import { useSession } from '../shell/session.js';
import { gapCells } from './gapCells.js';
import { worded } from './worded.js';

interface OnlyLastProps {
  readonly subject: Subject;
  /** The model without those rows. */
  readonly content: Model;
  readonly onRun: (fact: string) => void;
  /** Of a draft: puts a row into a table. @param gap its cells by field */
  readonly onAddRow: ((nodeId: string, gap: ReadonlyMap<string, string>) => void) | undefined;
}

/** What last rows that take everything take alone, some of which may have been forgotten. */
export function OnlyLast({ subject: { decision, model }, content, onRun, onAddRow }: OnlyLastProps) {
  const { api } = useSession();
  const { value, error, loading } = useLoaded(
    (signal) => api.analyse({ key: decision.key, content }, signal),
    [api, decision.key, model],
  );
  const lines = (value?.tables ?? [])
    .filter(({ nodeId }) => content.nodes.some((node) => node.id === nodeId && !model.nodes.includes(node)))
    .flatMap(({ nodeId, node, findings }) =>
      findings.flatMap((finding) => (finding.kind === 'gap' ? [{ nodeId, node, ...finding }] : [])),
    );
  return (
    <>
      <Failure error={error} />
      <div role="status">
        {loading && <Loading />}
        {value !== null && lines.length === 0 && <p class="empty">Nothing, of facts that give all fields.</p>}
        {lines.length > 0 && (
          <ul>
            <Few of={lines} most={20}>
              {({ nodeId, node, message, witness }, index) => {
                const table = model.nodes.find(({ id }) => id === nodeId)?.content;
                const row = witness && onAddRow ? gapCells(message, witness.input, table) : null;
                const fact = witness !== null && isObject(witness.fact) ? formatJson(witness.fact) : null;
                return (
                  <li key={index}>
                    {node}: {worded(message, table).replace(/^No r(?:ow|ule) takes/, 'only the last row takes')}{' '}
                    {witness !== null && (
                      <span class="soft">
                        such as <ValuesLine value={witness.fact ?? witness.input} />
                      </span>
                    )}{' '}
                    {fact !== null && <Button name="Run it" class="link" onClick={() => onRun(fact)} />}{' '}
                    {row !== null && (
                      <Button
                        name={row.isAll ? 'Add a row for all of this' : 'Add a row for this example'}
                        class="link"
                        onClick={() => onAddRow?.(nodeId, row.cells)}
                      />
                    )}
                  </li>
                );
              }}
            </Few>
          </ul>
        )}
      </div>
    </>
  );
}
