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
