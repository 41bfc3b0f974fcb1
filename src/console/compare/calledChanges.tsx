import { useState } from 'preact/hooks';
import { readPinned } from '../api/pinned.js';
import type { Differences } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { Button, count, Section, Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { DifferenceTable, linesOf } from './differenceList.js';
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
  if (changed.length === 0) return null;
  return (
    <Section label="Decisions that it runs" title={`${count(changed.length, 'decision')} that it runs changed`}>
      {changed.map((each) => (
        <CalledChange key={each.decisionId} {...{ pair }} called={each} isFirstOpen={changed.length <= mostOpen} />
      ))}
    </Section>
  );
}

interface CalledChangeProps {
  readonly pair: Pair;
  readonly called: Changed[number];
  readonly isFirstOpen: boolean;
}

const tones = { added: 'good', removed: 'bad', changed: 'warn' } as const;

function CalledChange({ pair: { from, to, ...of }, called, isFirstOpen }: CalledChangeProps) {
  const { key, change, before, after } = called;
  const [isOpen, setOpen] = useState(isFirstOpen);
  const name = decisionName(key);
  const contents = [before, after].map((hash) => hash?.slice(0, 12) ?? 'none').join(' → ');
  return (
    <section aria-label={name}>
      <p>
        <b>{name}</b> <span class={`mark ${tones[change]}`}>{change}</span>{' '}
        <span class="soft small" title={`The contents that ${versionName(from)} and ${versionName(to)} run`}>
          {contents}
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
