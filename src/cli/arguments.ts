import { InvalidArgumentError, Option } from 'commander';
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

/** The Examples part of a command's --help; every line is what follows `verdict`. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ verdict ${line}`).join('\n')}`;
}
