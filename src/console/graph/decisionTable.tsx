import { useMemo } from 'preact/hooks';
import type { NodeTrace } from '../api/types.js';
import { VirtualRows } from '../parts/virtualRows.js';
import { rowsOf, ruleIdOf, textOf } from './fields.js';
import { matchedRows } from './way.js';

interface DecisionTableProps {
  readonly name: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly trace: NodeTrace | undefined;
  /** Rows that no test reaches. */
  readonly missed?: ReadonlySet<string> | undefined;
}

export const NotTested = () => <span class="mark warn">not tested</span>;

/** A decision table, with the rows marked that a run matched. */
export function DecisionTable({ name, content, trace, missed }: DecisionTableProps) {
  const inputs = rowsOf(content, 'inputs');
  const outputs = rowsOf(content, 'outputs');
  const rules = useMemo(() => rowsOf(content, 'rules'), [content]);
  const matched = useMemo(() => matchedRows(trace), [trace]);
  const columns = [
    ...inputs.map((column) => ({ column, side: 'in' })),
    ...outputs.map((column) => ({ column, side: 'out' })),
  ];
  const first = matched.size === 0 ? undefined : Math.min(...matched);
  return (
    <>
      <p class="soft small">
        Hit policy {textOf(content['hitPolicy']) || 'first'}, {rules.length} rows
        {first !== undefined &&
          `, matched ${[...matched]
            .slice(0, 20)
            .map((row) => row + 1)
            .join(', ')}`}
      </p>
      <VirtualRows
        label={`Rows of ${name}`}
        rows={rules}
        columns={columns.length + 1}
        shown={first}
        head={
          <tr>
            <th scope="col">Row</th>
            {columns.map(({ column, side }) => (
              <th scope="col" key={textOf(column['id'])} class={side}>
                {textOf(column['name']) || textOf(column['field'])}
                <code>{textOf(column['field'])}</code>
              </th>
            ))}
          </tr>
        }
        render={(rule, index) => {
          const isMatched = matched.has(index);
          return (
            <tr
              key={index}
              class={isMatched ? 'matched' : ''}
              aria-rowindex={index + 2}
              {...(isMatched ? { 'aria-current': 'true' as const } : {})}
            >
              <th scope="row" title={textOf(rule['_description'])}>
                {index + 1}
                {isMatched && <span class="visually-hidden"> matched</span>}{' '}
                {missed?.has(ruleIdOf(rule, index)) === true && <NotTested />}
              </th>
              {columns.map(({ column, side }) => {
                const cell = textOf(rule[textOf(column['id'])]);
                return (
                  <td key={textOf(column['id'])} class={side} title={cell}>
                    {cell === '' ? <span class="soft">{side === 'in' ? 'any' : ''}</span> : <code>{cell}</code>}
                  </td>
                );
              })}
            </tr>
          );
        }}
      />
    </>
  );
}
