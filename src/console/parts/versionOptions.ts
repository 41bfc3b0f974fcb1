import type { Version } from '../api/types.js';
import { versionName } from './small.js';

const maxMessage = 60;

/** Saved versions to choose from, the newest first, with their messages. */
export const versionOptions = (versions: readonly Version[]): readonly (readonly [number, string])[] =>
  [...versions]
    .reverse()
    .map(({ version, message }) => [
      version,
      `${versionName(version)}${message === null ? '' : ` · ${message.slice(0, maxMessage)}`}`,
    ]);

/** The same, and the working copy before them. */
export const stateOptions = (versions: readonly Version[]): readonly (readonly [number, string])[] => [
  [0, 'working copy'],
  ...versionOptions(versions),
];
