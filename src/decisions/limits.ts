import { modelLimits } from '../../workers/models/index.js';

const mebibyte = 1024 * 1024;

/** Limits of an import. Sizes are bytes. */
export const importLimits = Object.freeze({
  ...modelLimits,
  /** All models of one import, unpacked. */
  totalBytes: 64 * mebibyte,
  /** Models of one import, and entries of a zip of whatever kind. */
  files: 10_000,
  /** A model and all that it reaches, each content once: as much as a thread could compile. */
  programBytes: 32 * mebibyte,
});

/** Decisions that one decision can reach, itself included. */
export const maxReach = 1000;

/**
 * Bytes of a body that has a model: the largest model, and beside it as much as any other body may have, such as a fact.
 * No more than an import may have.
 */
export function maxModelBody({ maxBodyBytes, maxImportBytes }: BodyLimits): number {
  return Math.max(maxBodyBytes, Math.min(maxImportBytes, modelLimits.fileBytes + maxBodyBytes));
}

interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly maxImportBytes: number;
}
