const mebibyte = 1024 * 1024;

/** What one model refuses to exceed, wherever it comes from. */
export const modelLimits = Object.freeze({
  /** Bytes. Twice of it, when every character needs escaping, still fits MariaDB's default packet of 16 MiB. */
  fileBytes: 6 * mebibyte,
  /** Of the time limit of a run, what its checks may take: then they end by themselves, and say so. */
  checkShare: 0.6,
  /** Objects and arrays within one another. */
  jsonDepth: 100,
});
