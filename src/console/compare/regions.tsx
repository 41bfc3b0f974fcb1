import { formatJson, shortJson } from '../api/exactJson.js';
import { ValuesLine } from '../parts/values.js';
import { permitted } from '../api/client.js';
import { inTime, worded } from '../analysis/worded.js';
import type { Analysis, Model } from '../api/types.js';
import { isObject, rowsOf, textOf, valueAt, type Fields } from '../graph/fields.js';
import { Button, count, percentOf, Section, Shown, Time, versionName } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';

interface RegionsProps {
  readonly decisionId: string;
  readonly from: number;
  readonly to: number;
  /** The newer version, by whose columns its fields are called. */
  readonly model: Model;
}

type Change = NonNullable<Analysis['change']>;

/** Where the two versions give different results, in words of their inputs, each with a fact that was run on both. */
export function Regions({ decisionId, from, to, model }: RegionsProps) {
  const { api } = useSession();
  const loaded = useLoaded(
    (signal) => api.analyse({ decisionId, version: to, against: { version: from } }, signal),
    [api, decisionId, from, to],
  );
  return (
    <Section label="What changes">
      <Shown loaded={loaded}>
        {({ change }) => change !== null && <ChangeView {...{ change, decisionId, to, model }} />}
      </Shown>
      <ReplayedShare decisionId={decisionId} version={to} />
    </Section>
  );
}

/** Replays that are looked through for one of this version. */
const mostReplays = 50;

/** How many recorded executions lie where results change, as the newest replay of the version counted them. */
function ReplayedShare({ decisionId, version }: { readonly decisionId: string; readonly version: number }) {
  const { api } = useSession();
  const { value } = useLoaded(
    (signal) => permitted(api.ask('GET /logic/replays', { size: mostReplays, order: 'desc' }, signal), null),
    [api, decisionId, version],
  );
  if (value === null) return null;
  const replay = value.data.find(
    ({ status, request }) =>
      status === 'COMPLETED' && request.decisionId === decisionId && request.candidate.version === version,
  );
  const asked = `/replays?decision=${decisionId}&version=${version}`;
  if (replay === undefined || replay.report.replayed === 0) {
    return (
      <p class="soft">
        How many recorded executions lie there? <Link to={asked}>Replay them</Link> on {versionName(version)}.
      </p>
    );
  }
  const { replayed, identical } = replay.report;
  const changed = replayed - identical;
  return (
    <p>
      Of {replayed} recorded executions <b>{changed}</b> ({percentOf(changed / replayed)} %) would have come out
      otherwise: <Link to={`/replays/${replay.id}`}>replay</Link> of <Time at={replay.createdAt} />.
    </p>
  );
}

const sentences: Readonly<Record<Change['status'], string>> = {
  equal: 'It is proved that both give the same result for every fact.',
  different: 'They give different results here:',
  unknown: 'No difference was found, and none was excluded: not all of the change can be decided.',
};

interface ChangeViewProps extends Omit<RegionsProps, 'from'> {
  readonly change: Change;
}

function ChangeView({ change: { status, regions, undecided, reason }, decisionId, to, model }: ChangeViewProps) {
  const { go } = useRouter();
  const { facts } = useSession();
  const inputs = model.nodes.flatMap(({ content }) => rowsOf(content, 'inputs'));
  const inWords = (when: string): string => worded(when, { inputs });
  const open = (fact: string): void => {
    // Facts are in the page's memory, and in no address.
    facts.keep(decisionId, fact);
    go(`/decisions/${decisionId}?version=${to}`);
  };
  const isOfFractions = ({ witness }: Change['regions'][number]): boolean => hasFraction(witness.fact, inputs);
  const expected = regions.filter((region) => !isOfFractions(region));
  const fractions = regions.filter(isOfFractions);
  const columns: readonly Column<Change['regions'][number]>[] = [
    [
      'Where',
      ({ when }) =>
        when === null ? <span class="soft">a single fact; there may be more</span> : <code>{inWords(when)}</code>,
      'wrapped where',
    ],
    ['For example', ({ witness }) => <ValuesLine value={witness.fact ?? witness.input} />, 'wrapped'],
    ['Result of the example', ({ before, after }) => <Changed before={before} after={after} />, 'wrapped'],
    [
      'Actions',
      ({ witness }) =>
        isObject(witness.fact) && <Button name="Take the fact" onClick={() => open(formatJson(witness.fact))} />,
    ],
  ];
  return (
    <>
      <p>
        {sentences[status]}
        {reason !== null && status === 'unknown' && <> That is because {inTime(reason)}.</>}
      </p>
      {expected.length > 0 && <Table label="What changes" columns={columns} rows={expected} />}
      {fractions.length > 0 && (
        <details>
          <summary class="soft">
            {expected.length > 0 && 'And '}
            {count(fractions.length, 'place', 'places')} between whole numbers, in columns that have these only.
          </summary>
          <Table label="What changes between whole numbers" columns={columns} rows={fractions} />
        </details>
      )}
      {reason !== null && status === 'different' && (
        <p class="soft">There may be more: not all of the change can be compared, because {reason}.</p>
      )}
      {undecided.length > 0 && (
        <>
          <p>
            Undecided: here other rows apply, but no fact was found whose result differs by it. Run or replay both
            versions on facts that lie here.
          </p>
          <ul>
            {undecided.map((when) => (
              <li key={when}>
                <code>{inWords(when)}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Whether a fact has a fraction where its author has said that whole numbers come alone. */
const hasFraction = (fact: unknown, inputs: readonly Fields[]): boolean =>
  inputs.some((column) => {
    const value = column['_whole'] === true ? Number(valueAt(fact, textOf(column['field']).split('.'))) : 0;
    return Number.isFinite(value) && value % 1 !== 0;
  });

/** What is different in two results: field by field where they are objects. */
function Changed({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  if (!isObject(before) || !isObject(after)) {
    return (
      <code>
        {shortJson(before)} → {shortJson(after)}
      </code>
    );
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <>
      {names
        .filter((name) => shortJson(before[name]) !== shortJson(after[name]))
        .map((name) => (
          <div key={name}>
            <code>{name}</code>: <code>{shortJson(before[name])}</code> → <code>{shortJson(after[name])}</code>
          </div>
        ))}
    </>
  );
}
