import { createPause, mapInTurns } from '../admission/pause.js';
import { faultDocument, type FaultDocument, type ModelDiagnostic } from './diagnostics.js';

/** What one answer tells of faults: so many, and so many characters of their texts. */
const most = { faults: 10_000, length: 4 * 1024 * 1024 };

const textParts = ['key', 'nodeId', 'node', 'field', 'pointer', 'message', 'hint', 'repair', 'excerpt'] as const;
const lengthOf = (fault: FaultDocument): number => textParts.reduce((sum, part) => sum + (fault[part]?.length ?? 0), 0);
const isWarning = ({ severity }: FaultDocument): boolean => severity === 'warning';

/**
 * The faults of one answer, all of them where they are few. Each model's are bounded by its size, but an answer is made at once, and
 * there may be thousands of models: of many faults it has the first, warnings last, and one more that tells of others.
 */
export async function shownDiagnostics(diagnostics: readonly ModelDiagnostic[]): Promise<readonly FaultDocument[]> {
  const faults = await mapInTurns(diagnostics, faultDocument);
  const pause = createPause();
  let all = 0;
  for (const fault of faults) {
    all += lengthOf(fault);
    await pause();
  }
  // The one that tells of others in a model is not counted.
  if (faults.length <= most.faults + 1 && all <= most.length) return faults;
  const ranked = [...faults.filter((fault) => !isWarning(fault)), ...faults.filter(isWarning)];
  let room = most.length;
  const end = ranked.findIndex((fault, at) => at === most.faults || ((room -= lengthOf(fault)) < 0 && at > 0));
  const other = ranked[end];
  if (other === undefined) return ranked;
  const { severity, key } = other;
  const nowhere = { nodeId: null, node: null, field: null, pointer: null, line: null, column: null, excerpt: null };
  const hint = 'Mend those that are listed first.';
  return [
    ...ranked.slice(0, end),
    { severity, key, ...nowhere, message: 'There are more faults, which are not listed.', hint },
  ];
}
