import { useLoaded } from './useLoaded.js';
import { stateOptions, versionOptions } from './versionOptions.js';
import { Shown } from './small.js';
import { Choice } from './entries.js';
import { useSession } from '../shell/session.js';

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
          options={
            workingCopy === 'first'
              ? stateOptions(versions)
              : [
                  ...versionOptions(versions),
                  ...(workingCopy === 'last' ? ([[0, 'working copy, as it changes']] as const) : []),
                ]
          }
        />
      )}
    </Shown>
  );
}
