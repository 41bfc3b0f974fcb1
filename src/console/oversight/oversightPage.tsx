import type { ComponentChildren } from 'preact';
import type { Erasure, FoundEvidence, Monitor } from '../api/types.js';
import { Copied } from '../parts/copied.js';
import { List } from '../parts/list.js';
import { May, useSession } from '../shell/session.js';
import { Principal } from '../parts/principals.js';
import { count, PageFrame, Section, Shown, Time } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useNames, type Names } from '../parts/useNames.js';
import { measureText, stateColumn } from '../outcomes/monitors.js';
import { placesOf } from './places.js';
import { Shadows } from './shadows.js';

const monitorsOf = (names: Names): readonly Column<Monitor>[] => [
  ['Name', ({ name }) => name],
  stateColumn,
  ...placesOf(names),
  ['Trips where', ({ measure, condition, window }) => `${measureText(measure)} ${condition} within ${window}`],
  ['Since', ({ changedAt }) => changedAt !== null && <Time at={changedAt} />],
];

const erasures: readonly Column<Erasure>[] = [
  ['Asked for', ({ createdAt }) => <Time at={createdAt} />],
  ['By', ({ principal }) => <Principal id={principal} />],
  ['State', ({ status }) => (status === 'RUNNING' ? 'under way' : 'done')],
  ['Erased', ({ erased }) => count(erased, 'execution')],
  ['Done', ({ completedAt }) => completedAt !== null && <Time at={completedAt} />],
  ['Receipt', ({ id }) => <Copied text={id} name="id of the erasure" />],
];

const findings: readonly Column<FoundEvidence>[] = [
  ['What', ({ detail }) => detail, 'wrapped'],
  ['Of', ({ subjectId }) => subjectId !== null && <Copied text={subjectId} name="id of the record" />],
  ['Found', ({ foundAt }) => <Time at={foundAt} />],
  [
    'Gone',
    ({ clearedAt }) => (clearedAt === null ? <span class="mark bad">it is there</span> : <Time at={clearedAt} />),
  ],
];

/** What watches, what is tried beside live work, what was erased, and whether the records are what they were. */
export function OversightPage() {
  const named = useNames();
  const part = (label: string, scope: string, children: ComponentChildren) => (
    <May to={scope}>
      <Section label={label}>{children}</Section>
    </May>
  );
  return (
    <PageFrame title="Oversight">
      <Shown loaded={named}>
        {(names) => (
          <>
            {part(
              'Monitors',
              'executions:read',
              <List
                label="Monitors"
                route="GET /logic/monitors"
                columns={monitorsOf(names)}
                empty="Nothing is watched. A decision’s page Outcomes makes monitors."
                isPart
              />,
            )}
            <May to="shadow:read">
              <Shadows names={names} />
            </May>
          </>
        )}
      </Shown>
      {part(
        'Erasures',
        'erasure:read',
        <List
          label="Erasures"
          route="GET /logic/erasures"
          columns={erasures}
          empty="Nothing was erased. An erasure says who asked for it and how much, never of whom."
          isPart
        />,
      )}
      {part('Evidence', 'evidence:read', <Evidence />)}
    </PageFrame>
  );
}

/** When records were last compared with what was signed of them, and what was found. */
function Evidence() {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.ask('GET /logic/evidence/checkpoint', {}, signal), [api]);
  return (
    <>
      <Shown loaded={loaded}>
        {({ checkedAt }) => (
          <p>
            {checkedAt === null ? (
              'The records were not compared with what was signed of them yet.'
            ) : (
              <>
                The records were last compared with what was signed of them at <Time at={checkedAt} />.
              </>
            )}{' '}
            <span class="soft">
              The guide says <a href="/docs/evidence#check-a-proof">how the proof of one execution is taken home</a>.
            </span>
          </p>
        )}
      </Shown>
      <List
        label="Findings"
        route="GET /logic/evidence/findings"
        columns={findings}
        empty="Nothing was altered, removed or added."
        isPart
      />
    </>
  );
}
