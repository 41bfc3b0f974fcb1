import { isRecord } from '../../json/index.js';
import { Reader } from '../jdm/reader.js';
import type { NodeType } from './nodeType.js';
import { compileTable } from './table/compile.js';
import { writtenIn, type InputColumn, type OutputColumn, type Rule, type Table } from './table/content.js';
import { readTransform } from './transform.js';

/** Rows of conditions and results. */
export const tableNode: NodeType = {
  type: 'decisionTableNode',
  read(content, report) {
    const reader = new Reader(content, 'content', report);
    const table = readTable(reader);
    if (isRecord(content) && Array.isArray(content['rules']) && table.rules.length === 0)
      reader.reject('rules', 'is empty: the table never matches.', 'warning');
    const transform = readTransform(reader);
    return {
      role: 'step',
      *expressions() {
        yield* transform.expressions();
        yield* writtenIn(table);
      },
      compile: (context) => transform.apply(compileTable(table, context), context),
    };
  },
};

/** The table of a content whose faults are told elsewhere. */
export const tableIn = (content: unknown): Table => readTable(new Reader(content, 'content', () => undefined));

export function readTable(reader: Reader): Table {
  return {
    collect: reader.choice('hitPolicy', ['first', 'collect']) === 'collect',
    inputs: reader.list('inputs').map(readInput),
    outputs: reader.list('outputs').map(readOutput),
    rules: reader.list('rules').map(readRule),
  };
}

function readInput(item: Reader): InputColumn {
  return { id: item.required('id'), name: item.text('name'), field: item.text('field').trim() };
}

function readOutput(item: Reader): OutputColumn {
  const field = item.text('field').trim();
  const collect = field.endsWith('[]');
  return {
    id: item.required('id'),
    name: item.text('name'),
    path: collect ? field.slice(0, -2).trimEnd() : field,
    collect,
  };
}

/** A null cell counts as a missing one. */
function readRule(item: Reader): Rule {
  const cells = new Map<string, string>();
  for (const [key, cell] of item.entries()) {
    if (typeof cell === 'string') cells.set(key, cell.trim());
    else if (cell !== null) item.reject(key, 'must be text.');
  }
  return cells;
}
