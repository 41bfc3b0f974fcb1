import type { Measurements } from '../api/types.js';
import { csvCell } from '../../../workers/cells/csvCell.js';
import { textOf } from './sums.js';

const header = ['begin', 'version', 'executions', 'failed', 'warnings', 'p50 ms', 'p99 ms', 'value', 'count'];

/** A line for each step, version and value. */
export function csvOf({ data }: Measurements): string {
  const lines = data.flatMap(({ at, version, count, failed, warnings, engine, field }) => {
    const head = [at, version, count, failed, warnings, engine.p50 ?? '', engine.p99 ?? ''];
    const values = (field ?? { values: [] }).values.map(({ value, count: times }) => [...head, textOf(value), times]);
    return values.length === 0 ? [[...head, '', '']] : values;
  });
  return [header, ...lines]
    .map((cells) => `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(cell))).join(',')}\r\n`)
    .join('');
}
