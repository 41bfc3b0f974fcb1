const mebibyte = 1024 * 1024;

/** What one model refuses to exceed, wherever it comes from. */
export const modelLimits = Object.freeze({
  /** Bytes. Twice of it, when every character needs escaping, still fits MariaDB's default packet of 16 MiB. */
  fileBytes: 6 * mebibyte,
  /** Milliseconds that its checks may take. */
  checkMs: 3000,
  /** Objects and arrays within one another. */
  jsonDepth: 100,
});
