import { evaluate, unaryTest } from 'feelin';
import type { FeelinTable } from './feelin.js';
import { processorUs } from './processor.js';

// The process of feelin: a table in, the microseconds of one evaluation out. It parses whatever it evaluates, each time.

process.on('message', (table: FeelinTable) => {
  try {
    process.send?.({ us: measured(table) });
  } catch {
    process.send?.({});
  }
});
process.on('disconnect', () => process.exit());

const measured = ({ milliseconds, contexts, ...table }: FeelinTable): number =>
  processorUs((turn) => decide(table, contexts[turn % contexts.length] ?? {}), milliseconds);

type Context = Readonly<Record<string, unknown>>;

function decide(
  { inputs, rules, isFirst }: Omit<FeelinTable, 'milliseconds' | 'contexts'>,
  context: Context,
): unknown[] {
  const values = inputs.map((source) => valueOf(evaluate(source, context)));
  const hits: unknown[] = [];
  for (const cells of rules) {
    const holds = inputs.every((_, at) => {
      const cell = cells[at] ?? '';
      return cell === '' || cell === '-' || valueOf(unaryTest(cell, { ...context, '?': values[at] })) === true;
    });
    if (!holds) continue;
    hits.push(cells.slice(inputs.length).map((source) => (source === '' ? null : valueOf(evaluate(source, context)))));
    if (isFirst) break;
  }
  return hits;
}

const valueOf = (evaluated: unknown): unknown => (evaluated as { readonly value: unknown }).value;
