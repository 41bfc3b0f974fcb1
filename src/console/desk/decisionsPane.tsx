import { Few } from '../parts/table.js';
import { useState } from 'preact/hooks';
import type { Decision } from '../api/types.js';
import { useFolders, useFound } from '../decisions/folders.js';
import { Button, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { useNarrow } from '../parts/menu.js';
import { useLayout } from './layout.js';

const none: readonly Decision[] = [];

/** The decisions of the workspace, as a tree that can be put away. */
export function DecisionsPane({ current }: { readonly current: string }) {
  const [isOpenBeside, setOpenBeside] = useLayout('areDecisionsOpen');
  const isNarrow = useNarrow();
  const [isOpenAbove, setOpenAbove] = useState(false);
  // Above the table it takes its place: there it is open for as long as somebody looks at it.
  const [isOpen, setOpen] = isNarrow ? [isOpenAbove, setOpenAbove] : [isOpenBeside, setOpenBeside];
  return (
    <nav class={`desk-decisions${isOpen ? '' : ' closed'}`} aria-label="Decisions">
      <Button
        name={isOpen ? '« Decisions' : '»'}
        class="quiet"
        aria-expanded={isOpen}
        aria-label="List of decisions"
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <Tree current={current} />}
    </nav>
  );
}

function Tree({ current }: { readonly current: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.decisions(signal), [api]);
  const [wanted, setWanted] = useState('');
  const { lines } = useFolders(useFound(loaded.value ?? none, wanted), wanted);
  return (
    <>
      <input
        type="search"
        aria-label="Find a decision"
        placeholder="Find"
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <Shown loaded={loaded}>
        {() => (
          <ul>
            {/* More are found by typing. */}
            <Few of={lines} most={200}>
              {(line) => (
                <li
                  key={line.kind === 'folder' ? `${line.path}/` : line.decision.id}
                  style={{ paddingLeft: `${Math.min(line.depth, 6) * 12}px` }}
                >
                  {line.kind === 'folder' ? (
                    <span class="soft">{line.name}/</span>
                  ) : (
                    <Link
                      to={`/decisions/${line.decision.id}/edit`}
                      {...(line.decision.id === current ? { 'aria-current': 'page' as const } : {})}
                    >
                      {line.name}
                    </Link>
                  )}
                </li>
              )}
            </Few>
          </ul>
        )}
      </Shown>
    </>
  );
}
