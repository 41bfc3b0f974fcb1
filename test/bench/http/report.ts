import { table } from '../../../src/cli/table.js';
import { median, together, type Measured } from './load.js';

export interface Row {
  readonly peer: string;
  readonly fact: string;
  readonly connections: number;
  /** Measurements that took turns with the others' of the same fact and number of connections. */
  readonly rounds: readonly Measured[];
}

/** Ends the name of what the version of BASE answers. */
export const ofBase = ', before';

const headings = ['', 'per s', 'p50 ms', 'p99 ms', 'errors', 'server', 'MySQL', 'Redis', 'load', 'ratio'];

/** A table for each fact and number of connections, narrow enough for a terminal of 100 columns. */
export function reportText(rows: readonly Row[]): string {
  const titleOf = ({ fact, connections }: Row): string => `${fact} fact, ${connections} connections`;
  const blocks = [...new Set(rows.map(titleOf))].map((title) => {
    const block = rows.filter((row) => titleOf(row) === title);
    const lines = block.map((row) => cells(row, block));
    return `${title}\n${table(headings, lines)}\n`;
  });
  return [
    ...blocks,
    'server, MySQL, Redis, load: processor time per request in microseconds, of all threads; load is what asks.',
    'ratio: requests per second, execution to fastify and evaluation to fastify-traced, or each to the version of BASE: the',
    'median of the rounds, as the machine is not equally fast all the time. The peers are one process each; the native',
    'engine has threads of its own.',
  ].join('\n');
}

function cells({ peer, rounds }: Row, block: readonly Row[]): unknown[] {
  const { perSecond, p50Ms, p99Ms, errors, cpuUs } = together(rounds);
  const us = (name: string): string => cpuUs[name]?.toFixed(0) ?? '';
  const fastify = peer.startsWith('evaluation') ? 'fastify-traced' : 'fastify';
  const rivals = block.find((row) => row.peer === `${peer}${ofBase}` || row.peer === fastify)?.rounds ?? [];
  const ratios = rounds.map((round, index) => round.perSecond / (rivals[index]?.perSecond ?? NaN));
  const ratio = rivals.length === 0 ? '' : median(ratios).toFixed(2);
  const costs = [servers(cpuUs), us('MySQL'), us('Redis'), us('load')];
  return [peer, perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), errors, ...costs, ratio];
}

/** One number for a server alone; otherwise one for the primary and one for each of its processes. */
const servers = (cpuUs: Measured['cpuUs']): string =>
  Object.entries(cpuUs)
    .filter(([name]) => /^(primary|server)/.test(name))
    .map(([, us]) => us.toFixed(0))
    .join('+');
