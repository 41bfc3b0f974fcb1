import { useLoaded, type Loaded } from './useLoaded.js';
import { Shown, versionName } from './small.js';
import { Choice } from './entries.js';
import { useSession } from '../shell/session.js';
import type { Decision, Version } from '../api/types.js';

interface VersionChoiceProps {
  readonly name?: string;
  readonly decisionId: string;
  readonly value: number;
  /** The working copy can be chosen, too: first, or last with what that means. */
  readonly workingCopy?: 'first' | 'last';
  readonly onChange: (version: number) => void;
}

/** One of a decision's saved versions. */
export function VersionChoice({ name = 'Version', decisionId: id, value, workingCopy, onChange }: VersionChoiceProps) {
  const { api } = useSession();
  const loaded = useLoaded(
    async (signal) => (id === '' ? [] : api.all('GET /logic/decisions/{id}/versions', { id }, signal)),
    [api, id],
  );
  return (
    <Shown loaded={loaded}>
      {(versions) => (
        <Choice
          {...{ name, value, onChange }}
          options={[
            ...(workingCopy === 'first' ? stateOptions(versions) : versionOptions(versions)),
            ...(workingCopy === 'last' ? ([[0, 'working copy, as it changes']] as const) : []),
          ]}
        />
      )}
    </Shown>
  );
}

const maxMessage = 60;

/** Saved versions to choose from, the newest first, with their messages. */
const versionOptions = (versions: readonly Version[]): readonly (readonly [number, string])[] =>
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

/** A decision and its versions. */
export function useAbout(id: string): Loaded<{ readonly decision: Decision; readonly versions: readonly Version[] }> {
  const { api } = useSession();
  return useLoaded(
    async (signal) => {
      const [decision, versions] = await Promise.all([
        api.ask('GET /logic/decisions/{id}', { id }, signal),
        api.all('GET /logic/decisions/{id}/versions', { id }, signal),
      ]);
      return { decision, versions };
    },
    [api, id],
  );
}
