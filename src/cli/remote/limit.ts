import type { Limit } from '../../rates/limit.js';
import { UsageError } from '../failures.js';
import { count, negated, type Input } from '../params.js';

const rates = [1, 100_000] as const;

/** How often a client, or all who use a workspace, may ask. */
export const limited = {
  perSecond: count('--per-second <n>', 'requests a second that are let through', rates),
  burst: count('--burst <n>', 'requests that may come at once after a pause', rates),
  limit: negated('--no-limit', 'as many as they like'),
};

/** @throws UsageError where only one of both numbers is there, or a limit beside its end */
export function limitOf({ perSecond, burst, limit }: Input<typeof limited>): Limit | null | undefined {
  const isNumbered = perSecond !== undefined || burst !== undefined;
  if (!limit && isNumbered) throw new UsageError('give --per-second and --burst, or --no-limit, which ends the limit.');
  if (!limit) return null;
  if (!isNumbered) return undefined;
  if (perSecond === undefined || burst === undefined) throw new UsageError('a limit has --per-second and --burst.');
  return { perSecond, burst };
}

export const drawLimit = (limit: Limit | null): string | null =>
  limit && `${limit.perSecond} a second, ${limit.burst} at once`;
