const mebibyte = 1024 * 1024;

/** What an import refuses to exceed. Sizes are bytes. */
export const importLimits = Object.freeze({
  /** One model. Twice of it, when every character needs escaping, still fits MariaDB's default packet of 16 MiB. */
  fileBytes: 6 * mebibyte,
  /** All models of one import, unpacked. */
  totalBytes: 64 * mebibyte,
  /** Models of one import, and entries of a zip of whatever kind. */
  files: 10_000,
  /** Milliseconds that the checks of one model may take. */
  checkMs: 3000,
  /** Objects and arrays within one another. */
  jsonDepth: 100,
});

/** Decisions that one decision can reach, itself included. */
export const maxReach = 1000;
