import { decisionName } from '../../decisions/decisionName.js';
import { useState } from 'preact/hooks';
import { useVersions } from '../analysis/notLookedAt.js';
import { readPinned } from '../api/pinned.js';
import type { Differences } from '../api/types.js';
import { Button, count, Section, Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { linesOf } from './differenceLines.js';
import { DifferenceTable } from './differenceList.js';
import { nodeOf } from './pointerWords.js';

/** Two versions of a decision, 0 for its working copy. */
interface Pair {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

export type Changed = readonly NonNullable<Differences['dependencies']>[number][];

/** Of more of them it is read when somebody asks what changed in one. */
const mostOpen = 3;

/** The decisions that two versions run with different contents, and what differs in each as the two run it. */
export function CalledChanges({ pair, changed }: { readonly pair: Pair; readonly changed: Changed }) {
  const [{ value: old }, { value: young }] = [
    useVersions(sideOf(changed, 'before')),
    useVersions(sideOf(changed, 'after')),
  ];
  if (changed.length === 0) return null;
  return (
    <Section label="Decisions that it runs" title={`${count(changed.length, 'decision')} that it runs changed`}>
      {changed.map((each) => (
        <CalledChange
          key={each.decisionId}
          {...{ pair }}
          called={each}
          states={[stateName(old, each, each.before), stateName(young, each, each.after)]}
          isFirstOpen={changed.length <= mostOpen}
        />
      ))}
    </Section>
  );
}

/** Its content on one side, where that side runs it. */
const sideOf = (changed: Changed, side: 'before' | 'after') =>
  changed.flatMap(({ key, decisionId, [side]: contentHash }) =>
    contentHash === null ? [] : [{ key, decisionId, contentHash }],
  );

/** Which version of the decision has that content, once it is known. */
function stateName(
  versions: ReadonlyMap<string, number | null> | null,
  { decisionId }: Changed[number],
  contentHash: string | null,
): string {
  if (contentHash === null) return 'none';
  const version = versions?.get(decisionId);
  return version === undefined ? '…' : version === null ? 'a working copy that is no more' : versionName(version);
}

interface CalledChangeProps {
  readonly pair: Pair;
  readonly called: Changed[number];
  /** Which of its own versions is run, before and after. */
  readonly states: readonly [before: string, after: string];
  readonly isFirstOpen: boolean;
}

const tones = { added: 'good', removed: 'bad', changed: 'warn' } as const;

function CalledChange({ pair: { from, to, ...of }, called, states, isFirstOpen }: CalledChangeProps) {
  const { key, change } = called;
  const [isOpen, setOpen] = useState(isFirstOpen);
  const name = decisionName(key);
  return (
    <section aria-label={name}>
      <p>
        <b>{name}</b> <span class={`mark ${tones[change]}`}>{change}</span>{' '}
        <span class="soft small" title={`What ${versionName(from)} and ${versionName(to)} run`}>
          {states.join(' → ')}
        </span>{' '}
        {change === 'changed' && (
          <Button name="What changed" aria-expanded={isOpen} aria-description={name} onClick={() => setOpen(!isOpen)} />
        )}
      </p>
      {change === 'changed' && isOpen && (
        <Inner {...{ ...of, from, to }} dependencyId={called.decisionId} name={name} />
      )}
    </section>
  );
}

interface InnerProps extends Pair {
  readonly dependencyId: string;
  readonly name: string;
}

function Inner({ id, from, to, dependencyId, name }: InnerProps) {
  const { api } = useSession();
  const loaded = useLoaded(
    async (signal) => {
      const route = 'GET /logic/decisions/{id}/versions/{from}/differences/{to}';
      const [before, after, differences] = await Promise.all([
        readPinned(api, { id, version: from, dependencyId }, signal),
        readPinned(api, { id, version: to, dependencyId }, signal),
        api.ask(route, { id, from, to, dependency: dependencyId }, signal),
      ]);
      return { after, before, lines: linesOf(differences, { before, after }) };
    },
    [api, id, from, to, dependencyId],
  );
  return (
    <Shown loaded={loaded}>
      {({ before, after, lines }) =>
        lines.length === 0 ? (
          <p class="soft">It differs in places on the canvas alone.</p>
        ) : (
          <DifferenceTable
            label={`Differences of ${name}`}
            lines={lines}
            nodeOf={(node) => (nodeOf(after, node) ?? nodeOf(before, node))?.name ?? node}
          />
        )
      }
    </Shown>
  );
}
