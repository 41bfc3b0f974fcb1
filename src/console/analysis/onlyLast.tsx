import { useState } from 'preact/hooks';
import { formatJson } from '../api/exactJson.js';
import type { Analysis, Model } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import { isLastRowTheRest } from '../editor/gapRow.js';
import { isObject, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { Failure } from '../parts/failure.js';
import { Button } from '../parts/small.js';
import { Few } from '../parts/table.js';
import { useWork } from '../parts/useWork.js';
import { ValuesLine } from '../parts/values.js';
import { useSession } from '../shell/session.js';
import { isAny } from './collecting.js';
import { gapCells } from './gapCells.js';
import { worded } from './worded.js';

interface OnlyLastProps {
  readonly subject: Subject;
  readonly onRun: (fact: string) => void;
  /** Of a draft: puts a row into a table. @param gap its cells by field */
  readonly onAddRow: ((nodeId: string, gap: ReadonlyMap<string, string>) => void) | undefined;
}

interface Found {
  readonly of: Model;
  readonly tables: Analysis['tables'];
}

/** A last row that takes everything leaves no gap: who asks is told what it alone takes, some of which may have been forgotten. */
export function OnlyLast({ subject: { decision, model }, onRun, onAddRow }: OnlyLastProps) {
  const { api } = useSession();
  const [found, setFound] = useState<Found | null>(null);
  const { busy, failure, run } = useWork();
  const content = withoutOpenLast(model);
  if (content === null) return null;
  const look = async (): Promise<void> => {
    setFound(null);
    const { tables } = await api.analyse({ key: decision.key, content });
    setFound({ of: model, tables });
  };
  const told = found?.of === model ? found.tables : null;
  const lines = (told ?? [])
    .filter(({ nodeId }) => content.nodes.some((node) => node.id === nodeId && !model.nodes.includes(node)))
    .flatMap(({ nodeId, node, findings }) =>
      findings.flatMap((finding) => (finding.kind === 'gap' ? [{ nodeId, node, ...finding }] : [])),
    );
  return (
    <section aria-label="What only the last row takes" class="stack">
      <p>
        A last row takes everything that no other row does.{' '}
        <Button name="What does it take alone?" class="link" disabled={busy} onClick={() => void run(look)} />
      </p>
      <Failure error={failure} />
      <div role="status">
        {told !== null && lines.length === 0 && <p class="empty">Nothing, of facts that give all fields.</p>}
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
    </section>
  );
}

/** Tables without a last row that takes everything; null where none has one. */
function withoutOpenLast(model: Model): Model | null {
  const nodes = model.nodes.map((node) =>
    node.type === 'decisionTableNode' && isObject(node.content) && hasOpenLast(node.content)
      ? { ...node, content: { ...node.content, rules: rowsOf(node.content, 'rules').slice(0, -1) } }
      : node,
  );
  const isOther = model.document === undefined && nodes.some((node, at) => node !== model.nodes[at]);
  return isOther ? { ...model, nodes } : null;
}

function hasOpenLast(content: Fields): boolean {
  const rules = rowsOf(content, 'rules');
  const last = rules.at(-1);
  return (
    rules.length > 1 &&
    isLastRowTheRest(content) &&
    rowsOf(content, 'inputs').every(({ id }) => isAny(textOf(last?.[textOf(id)]).trim()))
  );
}
