import { formatJson, shortJson } from '../api/exactJson.js';
import type { Analysis } from '../api/types.js';
import { isObject } from '../graph/fields.js';
import { Shown } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';

interface RegionsProps {
  readonly decisionId: string;
  readonly from: number;
  readonly to: number;
}

type Change = NonNullable<Analysis['change']>;

/** Where the two versions give different results, in words of their inputs, each with a fact that was run on both. */
export function Regions({ decisionId, from, to }: RegionsProps) {
  const { api } = useSession();
  const loaded = useLoaded(
    () => api.analyse({ decisionId, version: to, against: { version: from } }),
    [api, decisionId, from, to],
  );
  return (
    <section aria-label="What changes" class="stack">
      <h2>What changes</h2>
      <Shown loaded={loaded}>
        {({ change }) => change !== null && <ChangeView change={change} decisionId={decisionId} to={to} />}
      </Shown>
    </section>
  );
}

const sentences: Readonly<Record<Change['status'], string>> = {
  equal: 'It is proved that both give the same result for every fact.',
  different: 'They give different results here:',
  unknown: 'No difference was found, and none was excluded: not all of the change can be decided.',
};

interface ChangeViewProps {
  readonly change: Change;
  readonly decisionId: string;
  readonly to: number;
}

const columns = ['Where', 'Result', 'Such as', 'Actions'] as const;

function ChangeView({ change: { status, regions }, decisionId, to }: ChangeViewProps) {
  const { go } = useRouter();
  const { facts } = useSession();
  const open = (fact: string): void => {
    // Facts are in the page's memory, and in no address.
    facts.keep(decisionId, fact);
    go(`/decisions/${decisionId}?version=${to}`);
  };
  return (
    <>
      <p>{sentences[status]}</p>
      {regions.length > 0 && (
        <Table
          label="What changes"
          columns={columns}
          rows={regions}
          cells={({ when, witness, before, after }) => (
            <>
              <th scope="row" class="wrapped">
                {when === null ? <span class="soft">a single fact; there may be more</span> : <code>{when}</code>}
              </th>
              <td class="wrapped">
                <Changed before={before} after={after} />
              </td>
              <td class="wrapped">
                <code>{shortJson(witness.fact ?? witness.input)}</code>
              </td>
              <td>
                {isObject(witness.fact) && (
                  <button type="button" onClick={() => open(formatJson(witness.fact))}>
                    Take the fact
                  </button>
                )}
              </td>
            </>
          )}
        />
      )}
    </>
  );
}

/** What is different in two results: field by field where they are objects. */
function Changed({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  if (!isObject(before) || !isObject(after)) {
    return (
      <code>
        {textOf(before)} → {textOf(after)}
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
            <code>{name}</code>: <code>{textOf(before[name])}</code> → <code>{textOf(after[name])}</code>
          </div>
        ))}
    </>
  );
}

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : shortJson(value));
