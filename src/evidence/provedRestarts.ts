import type { Checkpoint } from './checkpoint.js';
import { NotProved, type EvidenceFile } from './evidenceFile.js';
import { headOf, requireInclusion } from './inclusion.js';
import { generationIn } from './origin.js';
import { restartAction, type ToldRestart } from './readRestarts.js';

/** A restart of the evidence that a file proves: what was kept, what was lost, and why. */
export interface ProvedRestart {
  readonly at: string;
  readonly principal: string;
  readonly reason: string;
  readonly generation: number;
  /** Leaves of the tree before that are in the tree after. */
  readonly leaves: number;
  /** The newest head of the tree before: what it has beyond those leaves is lost. Null where none was known. */
  readonly lostHead: { readonly origin: string; readonly size: number; readonly text: string } | null;
  /** Whether the record of the file was in the tree before the restart. */
  readonly recordIsBefore: boolean;
}

/** An audit entry, as far as it is read here. */
interface AuditedEntry {
  readonly auditEntry: {
    readonly action: string;
    readonly principal: string;
    readonly at: string;
    readonly after: ToldRestart;
  };
}

/** The restarts that a file tells of, oldest first. Throws `NotProved` where the name of the tree speaks of one that is not there. */
export function restartsOf({ restarts = [], index }: EvidenceFile, head: Checkpoint): ProvedRestart[] {
  const told = restarts.map((proved) => {
    requireInclusion(proved, head, 'a restart of the evidence');
    const { action, principal, at, after } = (JSON.parse(proved.record) as AuditedEntry).auditEntry;
    if (action !== restartAction || after.leaves !== proved.index)
      throw new NotProved('what the file says of a restart of the evidence tells of none');
    const { generation, leaves, reason, head: note } = after;
    const lost = note === null ? null : headOf(note, 'the head that the restart names');
    const lostHead = lost && { origin: lost.origin, size: lost.size, text: lost.text };
    return { at, principal, reason, generation, leaves, lostHead, recordIsBefore: index < proved.index };
  });
  const generation = generationIn(head.origin) ?? 1;
  if (generation > 1 && told.at(-1)?.generation !== generation)
    throw new NotProved('the name of the tree says that its evidence was restarted, and the file does not tell why');
  return told;
}
