import { useRef, useState } from 'preact/hooks';
import type { Dependency, Fault, TestReport } from '../api/types.js';
import type { Changed } from '../compare/calledChanges.js';
import { useSession } from '../shell/session.js';
import type { Draft, Stored } from './useDraft.js';
import type { Saving } from './useSaving.js';

/** What somebody should know before a version is saved. */
export interface Doubts {
  /** What came of the tests; null where none fails. */
  readonly failed: TestReport | null;
  /** Faults that the newest version does not have, and all of them where there is none yet. */
  readonly faults: readonly Fault[];
  readonly isFirst: boolean;
  /** Why one of these is not known; null where both are. */
  readonly unknown: unknown;
  /** The decisions that it runs, which it will have as they are now. */
  readonly runs: readonly Dependency[];
  /** Those of them whose working copy is in none of their own versions. */
  readonly unsaved: readonly Dependency[];
  /** Those that the newest version runs with another content. */
  readonly changed: Changed;
}

const noneCalled: Pick<Doubts, 'runs' | 'unsaved' | 'changed'> = { runs: [], unsaved: [], changed: [] };

/** Saves versions: first what speaks against it is looked for, and told where there is something. */
export function useVersion(draft: Draft, saving: Saving) {
  const { api } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [doubts, setDoubts] = useState<Doubts | null>(null);
  const [runs, setRuns] = useState<readonly Dependency[]>([]);
  const kept = useRef<Stored>(draft.stored);
  const { id, key } = draft.stored.decision;

  /** What a version fixes of the decisions that it runs. */
  const calledBy = async ({ latestVersion }: Stored['decision']): Promise<typeof noneCalled> => {
    const differences = 'GET /logic/decisions/{id}/versions/{from}/differences/{to}';
    const [{ dependencies: runs }, compared] = await Promise.all([
      api.version(id, 0),
      latestVersion === null ? null : api.ask(differences, { id, from: latestVersion, to: 0 }),
    ]);
    const saved = await Promise.all(
      runs.map(({ decisionId }) => api.all('GET /logic/decisions/{id}/versions', { id: decisionId })),
    );
    const unsaved = runs.filter(
      ({ contentHash }, at) => saved[at]?.some((version) => version.contentHash === contentHash) === false,
    );
    return { runs, unsaved, changed: compared?.dependencies ?? [] };
  };
  const doubtsOf = async ({ content, decision }: Stored): Promise<Doubts> => {
    const { latestVersion } = decision;
    const isFirst = latestVersion === null;
    try {
      // What the desk was told before may be of another draft.
      const [report, faults, before, called] = await Promise.all([
        (content.tests ?? []).length === 0
          ? null
          : api.ask('POST /logic/decisions/{id}/tests', { id, body: { version: 0 } }),
        api.validate(key, content),
        isFirst ? [] : api.version(id, latestVersion).then((old) => api.validate(key, old.content)),
        content.nodes.some(({ type }) => type === 'decisionNode') ? calledBy(decision) : noneCalled,
      ]);
      if (report !== null) saving.onTested({ of: content, report });
      const known = faults.filter(({ severity }) => severity !== 'unknown');
      const [stopped] = faults.filter(({ severity }) => severity === 'unknown');
      const unknown = stopped === undefined ? null : new Error(stopped.message);
      return {
        failed: report === null || report.failed === 0 ? null : report,
        faults: newFaults(known, before),
        ...{ unknown, isFirst, ...called },
      };
    } catch (unknown) {
      return { failed: null, faults: [], unknown, isFirst, ...noneCalled };
    }
  };
  const store = (message: string): Promise<void> => saving.saveVersion(kept.current, message);
  return {
    isBusy,
    doubts,
    /** Which decisions the version that was just saved runs, where nobody was asked before it was. */
    runs,
    hideRuns: () => setRuns([]),
    store,
    close: () => setDoubts(null),
    /** Rejects where it is refused. @returns whether it is saved: not where somebody is asked first */
    async save(message: string): Promise<boolean> {
      setBusy(true);
      try {
        kept.current = draft.isDirty ? await saving.keep() : draft.stored;
        const found = await doubtsOf(kept.current);
        if (isClear(found) && message.trim() !== '') {
          await store(message);
          setRuns(found.runs);
          return true;
        }
        setDoubts(found);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

export const isClear = ({ failed, faults, unknown, unsaved }: Doubts): boolean =>
  failed === null && faults.length === 0 && unknown === null && unsaved.length === 0;

/** Rows may have moved: a fault is the same where it says the same of the same text. */
function newFaults(now: readonly Fault[], before: readonly Fault[]): readonly Fault[] {
  const known = before.map(nameOf);
  return now.filter((fault) => {
    const at = known.indexOf(nameOf(fault));
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

const nameOf = ({ nodeId, field, excerpt, message }: Fault): string =>
  JSON.stringify([nodeId, field, excerpt, message]);
