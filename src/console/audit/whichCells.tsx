import { useState } from 'preact/hooks';
import { Shown, versionName } from '../parts/small.js';
import { useAbout } from '../parts/versionChoice.js';
import { Link } from '../shell/address.js';
import { whereKept, type Entry } from './whereKept.js';

/** Which cells were changed, from what to what, as far as both contents are kept; asked for by whoever opens it. */
export function WhichCells({ entry }: { readonly entry: Entry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>what it changed</summary>
      {isOpen && <Kept entry={entry} />}
    </details>
  );
}

function Kept({ entry }: { readonly entry: Entry }) {
  const { id } = entry.resource;
  return (
    <Shown loaded={useAbout(id)}>
      {({ decision, versions }) => {
        const { from, to, isWhole } = whereKept(entry, decision.contentHash, versions);
        return (
          <p>
            {!isWhole && 'Working copies are not kept, versions are. '}
            {from === null ? (
              'There was no version before it.'
            ) : (
              <Link to={`/decisions/${id}/compare?from=${from}&to=${to}`}>
                {isWhole ? 'Compare before and after' : `Compare ${versionName(from)} with ${versionName(to)}`}
              </Link>
            )}
            {!isWhole && from !== null && ', between which it was, with all that was changed besides.'}
          </p>
        );
      }}
    </Shown>
  );
}
