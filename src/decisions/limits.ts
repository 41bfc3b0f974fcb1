import { modelLimits } from '../../workers/models/index.js';

const mebibyte = 1024 * 1024;

/** Limits of an import. Sizes are bytes. */
export const importLimits = Object.freeze({
  ...modelLimits,
  /** All models of one import, unpacked. */
  totalBytes: 64 * mebibyte,
  files: 10_000,
  /** A model and all that it reaches, each content once: as much as a thread could compile. */
  programBytes: 32 * mebibyte,
});

export const maxReach = 1000;

/** Bytes of a body that has a model, and beside it as much as any other body may have; no more than an import's. */
export function maxModelBody({ maxBodyBytes, maxImportBytes }: BodyLimits): number {
  return Math.max(maxBodyBytes, Math.min(maxImportBytes, modelLimits.fileBytes + maxBodyBytes));
}

interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly maxImportBytes: number;
}
