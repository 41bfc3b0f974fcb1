import { decisionName } from '../../../decisions/decisionName.js';
import { useState } from 'preact/hooks';
import { textOf, membersOf, type Fields } from '../../graph/fields.js';
import { InAndOut } from '../../graph/inAndOut.js';
import { Choice, TextField } from '../../parts/entries.js';
import { Facts } from '../../parts/small.js';
import { useLoaded } from '../../parts/useLoaded.js';
import { runsText } from '../../requests/runs.js';
import { Link } from '../../shell/address.js';
import { useSession } from '../../shell/session.js';
import type { Dependency, NodeTrace } from '../../api/types.js';
import { decisionMeant } from '../../graph/decisionsRun.js';
import { NodeSettings } from './sheetTools.js';

interface CalledProps {
  readonly content: Fields;
  /** The key of the decision that the node is of. */
  readonly usedBy: string;
  /** What the last run did here. */
  readonly trace: NodeTrace | undefined;
  readonly onContent: (content: Fields, step: string | null) => void;
}

/** What stands in the list of decisions for one that is named by its key. */
const ownKey = ' ';

/** Another decision: one of the workspace's, or by its key, as seen from the folder of this one. */
export function CalledEditor({ content, usedBy, trace, onContent }: CalledProps) {
  const { api } = useSession();
  const [isTyped, setTyped] = useState(false);
  const { value: decisions } = useLoaded((signal) => api.decisions(signal), [api]);
  const key = textOf(content['key']);
  const meant = decisionMeant(key, usedBy, decisions ?? []);
  // A key that no decision has yet is seen as it was written.
  const isByKey = isTyped || (key !== '' && decisions !== null && meant === undefined);
  const chosen = isByKey ? ownKey : (meant?.key ?? key);
  const others = (decisions ?? []).filter((each) => each.key !== usedBy);
  const keys = others.map((each) => [each.key, decisionName(each.key)] as const);
  const isListed = isByKey || meant !== undefined;
  return (
    <div class="called">
      <Choice
        name="Decision"
        value={chosen}
        options={[
          ...(isListed ? [] : [[key, decisionName(key) || 'Choose one …'] as const]),
          ...keys,
          [ownKey, 'one by its key …'],
        ]}
        onChange={(next) => {
          setTyped(next === ownKey);
          if (next !== ownKey) onContent({ ...content, key: next }, null);
        }}
      />
      {isByKey && (
        <TextField
          name="Key of the decision"
          value={key}
          placeholder="./other.json"
          spellcheck={false}
          onChange={(text) => onContent({ ...content, key: text }, 'key')}
        />
      )}
      <NodeSettings {...{ content, onContent }} />
      {meant !== undefined && <CalledDecision called={{ key: meant.key, decisionId: meant.id }} version={null} />}
      {trace !== undefined && <InAndOut {...trace} />}
    </div>
  );
}

interface CalledDecisionProps {
  readonly called: Dependency;
  /** Of the model that runs it: 0 for the working copy, null for a draft; saved versions have a `PinnedDecision`. */
  readonly version: 0 | null;
}

/** A decision that a node runs: where it is, what it takes and gives, and which content of it runs. */
export function CalledDecision({ called, version }: CalledDecisionProps) {
  const { api } = useSession();
  const { key, decisionId: id } = called;
  const { value } = useLoaded(
    (signal) => api.ask('GET /logic/decisions/{id}/versions/{version}/schema', { id, version: 0 }, signal),
    [api, id],
  );
  const fields = (schema: unknown): string =>
    Object.keys(membersOf(membersOf(schema)['properties'])).join(', ') || 'not known';
  return (
    <div class="stack">
      <p>
        Runs <Link to={`/decisions/${id}${version === null ? '/edit' : ''}`}>{decisionName(key)}</Link>
      </p>
      {value !== null && (
        <Facts
          of={[
            ['It takes', fields(value.input)],
            ['It gives', fields(value.output)],
          ]}
        />
      )}
      <p class="soft small">{runsText(version, [called])}</p>
    </div>
  );
}
