import { InvalidArgumentError, Option, type Command } from 'commander';
import { formats, parseTimestamp } from '../formats.js';
import { isUuid } from '../storage/ids.js';

/** Parsers of argument texts for commander; each throws `InvalidArgumentError`, which ends in exit 2. */
export function parseId(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It must be a UUID.');
  return text.toLowerCase();
}

export const parseCount =
  (min: number, max: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return number;
  };

/** `2026-01-31` (midnight UTC) or a full timestamp with a zone. */
export function parseDate(text: string): Date {
  const date = parseTimestamp(text);
  if (date === undefined) throw new InvalidArgumentError(`It must be ${formats.timestamp.what}.`);
  return date;
}

/** Collects a repeatable option into a list: `.option('--x <v>', '…', collect(parseId))`. */
export const collect =
  <T>(parse: (text: string) => T) =>
  (text: string, before: readonly T[] | undefined): readonly T[] => [...(before ?? []), parse(text)];

/** `NAME=VALUE`, split at the first `=`. */
export function parsePair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A UUID option that must be given, such as `--workspace <id>`. */
export function requiredId(name: string, explanation: string): Option {
  return new Option(`--${name} <id>`, explanation).argParser(parseId).makeOptionMandatory();
}

/** The options of a list from the newest entry to the oldest. */
export interface RecentOptions {
  readonly size: number;
  readonly from?: Date;
  readonly to?: Date;
}

export const withRecent = (command: Command): Command =>
  command
    .addOption(sizeOption())
    .option('--from <date>', 'from then on, such as 2026-01-31 (midnight UTC) or 2026-01-31T09:30:00Z', parseDate)
    .option('--to <date>', 'before then', parseDate);

/** `--size` of a list that the database gives a page at a time. */
export const sizeOption = (): Option =>
  new Option('--size <n>', 'how many at most, 1 to 5000').argParser(parseCount(1, 5000)).default(50);

/** The Examples part of a command's --help; every line is what follows `verdict`. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ verdict ${line}`).join('\n')}`;
}
