import type { Version } from '../api/types.js';
import { versionName } from './small.js';

const maxMessage = 60;

/** Saved versions to choose from, the newest first, with their messages. */
export const VersionOptions = ({ versions }: { readonly versions: readonly Version[] }) => (
  <>
    {[...versions].reverse().map(({ version, message }) => (
      <option key={version} value={version}>
        {versionName(version)}
        {message !== null && ` · ${message.slice(0, maxMessage)}`}
      </option>
    ))}
  </>
);
