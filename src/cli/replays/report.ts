import type { ReplayReport } from '#openapi/types.gen.js';
/** The report of a replay or a shadow, as the service gives it; values are parsed exactly. */
export type Report = ReplayReport;

/** What a replay's executions came to, in the order of its report. */
export const outcomes = ['identical', 'changed', 'newlyFailed', 'newlyCompleted'] as const;

export const outcomeNames: Readonly<Record<(typeof outcomes)[number], string>> = {
  identical: 'identical',
  changed: 'changed',
  newlyFailed: 'newly failed',
  newlyCompleted: 'newly completed',
};

/** A share as people read it: `0.5 %`, and what is not quite none or all of it as such. */
export function percent(count: number, of: number): string {
  if (of === 0) return '–';
  const share = (100 * count) / of;
  if (count > 0 && share < 0.01) return '< 0.01 %';
  if (count < of && share > 99.99) return '> 99.99 %';
  return `${Number(share.toFixed(2))} %`;
}
