import { textBytes, type Reservation } from '../../admission/byteBudget.js';
import type { Programs } from './programs.js';

/** A program, and all that it can reach, as work on models needs it. */
export interface BroughtProgram {
  readonly programId: string;
  /** `Bundle` as JSON. */
  readonly bundle: string;
}

/**
 * Reads the program of a version, 0 for the working copy, on the request's account. Rejects with `decision_not_found`,
 * `version_not_found`, `model_too_large`, and `overloaded`.
 */
export async function bringProgram(
  programs: Programs,
  { workspaceId, reservation }: { readonly workspaceId: string; readonly reservation: Pick<Reservation, 'grow'> },
  { id, version }: { readonly id: string; readonly version: number },
): Promise<BroughtProgram> {
  // Versions stay cached after their decision is deleted.
  if (version > 0) await programs.requireDecision(workspaceId, id);
  const { programId } = await programs.programOf(workspaceId, id, version);
  const bundle = await programs.bundle(workspaceId, programId);
  reservation.grow(textBytes(bundle));
  return { programId, bundle };
}
