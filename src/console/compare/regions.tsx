import { formatJson, shortJson } from '../api/exactJson.js';
import { ValuesLine } from '../parts/values.js';
import { permitted } from '../api/client.js';
import { inTime, worded } from '../analysis/worded.js';
import type { Analysis, Model } from '../api/types.js';
import { isObject, rowsOf } from '../graph/fields.js';
import { Button, count, shareOf, Section, Shown, Time, versionName } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link, useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { changedPlaces, isOfFraction, type ChangedPlaces } from './changedRows.js';

interface RegionsProps {
  readonly decisionId: string;
  readonly from: number;
  readonly to: number;
  readonly before: Model;
  /** By whose columns fields are called. */
  readonly after: Model;
}

type Change = NonNullable<Analysis['change']>;
type Region = Change['regions'][number];

/** Where the two versions give different results, in words of their inputs, each with a fact that was run on both. */
export function Regions({ decisionId, from, to, before, after }: RegionsProps) {
  const { api } = useSession();
  const loaded = useLoaded(
    (signal) => api.analyse({ decisionId, version: to, against: { version: from } }, signal),
    [api, decisionId, from, to],
  );
  return (
    <Section label="What changes">
      <Shown loaded={loaded}>
        {({ change }) => change !== null && <ChangeView {...{ change, decisionId, to, before, after }} />}
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
      Of {replayed} recorded executions <b>{changed}</b> ({shareOf(changed, replayed)}) would have come out otherwise:{' '}
      <Link to={`/replays/${replay.id}`}>replay</Link> of <Time at={replay.createdAt} />.
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

function ChangeView({ change, decisionId, to, before: old, after: young }: ChangeViewProps) {
  const { go } = useRouter();
  const { facts } = useSession();
  const { status, undecided, reason } = change;
  const inputs = young.nodes.flatMap(({ content }) => rowsOf(content, 'inputs'));
  const inWords = (when: string): string => worded(when, { inputs });
  const open = (fact: string): void => {
    // Facts are in the page's memory, and in no address.
    facts.keep(decisionId, fact);
    go(`/decisions/${decisionId}?version=${to}`);
  };
  const all = changedPlaces(change, { before: old, after: young, inWords });
  const of = (isFraction: boolean): ChangedPlaces[] =>
    all.flatMap((each) => {
      const places = each.places.filter((region) => isOfFraction(region, inputs) === isFraction);
      return places.length === 0 ? [] : [{ ...each, places }];
    });
  const [expected, fractions] = [of(false), of(true)];
  const columns: readonly Column<ChangedPlaces>[] = [
    ['Row', (each) => <ChangedRow {...each} />, 'wrapped'],
    ['Where', ({ places }) => <Places {...{ places, inWords }} />, 'wrapped where'],
    [
      'For example',
      ({ places: [region] }) =>
        region !== undefined && <ValuesLine value={region.witness.fact ?? region.witness.input} />,
      'wrapped',
    ],
    ['Result of the example', ({ places: [region] }) => region !== undefined && <Changed {...region} />, 'wrapped'],
    [
      'Actions',
      ({ places: [region] }) =>
        isObject(region?.witness.fact) && (
          <Button name="Take the fact" onClick={() => open(formatJson(region.witness.fact))} />
        ),
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
            {count(fractions.flatMap(({ places }) => places).length, 'place')} between whole numbers, in columns that
            have these only.
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

function ChangedRow({ row, instead, conditions }: ChangedPlaces) {
  return (
    <>
      {row}
      {instead !== '' && <div class="soft small">in place of {instead}</div>}
      {conditions !== '' && <div class="soft small">{conditions}</div>}
    </>
  );
}

interface PlacesProps {
  readonly places: readonly Region[];
  readonly inWords: (when: string) => string;
}

/** The first place, and the others behind a click: a row that is asked after many others has as many parts. */
function Places({ places: [first, ...others], inWords }: PlacesProps) {
  if (first === undefined || first.when === null) return <span class="soft">a single fact; there may be more</span>;
  return (
    <>
      <code>{inWords(first.when)}</code>
      {others.length > 0 && (
        <details>
          <summary class="soft">and {count(others.length, 'more place')}</summary>
          <ul>
            {others.map(({ when }) => (
              <li key={when}>
                <code>{inWords(when ?? '')}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

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
