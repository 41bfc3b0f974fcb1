import { textBytes, type Reservation } from '../../admission/byteBudget.js';
import type { Programs } from './programs.js';

/** A program with the contents of all decisions that it can reach, as work on models needs it. */
export interface BundledProgram {
  readonly programId: string;
  /** `Bundle` as JSON. */
  readonly bundle: string;
}

interface NumberedVersion {
  readonly id: string;
  /** 0 for the working copy. */
  readonly version: number;
}

/** The id of a version's program. Rejects with `decision_not_found`, `version_not_found`. */
export async function findProgram(
  programs: Programs,
  workspaceId: string,
  { id, version }: NumberedVersion,
): Promise<string> {
  // Versions stay cached after their decision is deleted.
  if (version > 0) await programs.requireDecision(workspaceId, id);
  return (await programs.programOf(workspaceId, id, version)).programId;
}

/**
 * Reads the program of a version, 0 for the working copy, on the request's account. Rejects with `decision_not_found`,
 * `version_not_found`, `model_too_large`, and `overloaded`.
 */
export async function readBundledProgram(
  programs: Programs,
  { workspaceId, reservation }: { readonly workspaceId: string; readonly reservation: Pick<Reservation, 'grow'> },
  of: NumberedVersion,
): Promise<BundledProgram> {
  const programId = await findProgram(programs, workspaceId, of);
  const bundle = await programs.bundle(workspaceId, programId);
  reservation.grow(textBytes(bundle));
  return { programId, bundle };
}
