/** MySQL's error numbers that the service acts on. */
export const mysqlErrors = {
  duplicateKey: 1062,
  /** NULL for a column that has none. */
  columnIsNull: 1048,
  /** MariaDB's for a lock that NOWAIT does not get, too. */
  lockWaitTimeout: 1205,
  /** MySQL's for a lock that NOWAIT does not get. */
  lockNotAvailable: 3572,
  deadlock: 1213,
  /** A DELETE of a row that others name. */
  rowIsReferenced: 1451,
  noSuchTable: 1146,
  /** An INSERT that names a row which is not there. */
  noReferencedRow: 1452,
  /** Group replication of MySQL: another member committed first, and this transaction was rolled back. */
  rolledBackInCommit: 3101,
  /** The server keeps as many prepared statements as it may, for all its clients together. */
  tooManyPreparedStatements: 1461,
} as const;

/** The number of a MySQL server error, or undefined for anything else. */
export function mysqlErrno(error: unknown): number | undefined {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number' && 'sqlState' in error) {
    return error.errno;
  }
  return undefined;
}

/** The server answers reads, and takes no writes: it is read-only, or its disk is full. */
const writesRefused = [1021, 1026, 1114, 1290, 1836];

/**
 * The server is reachable but can't serve: too many connections, shutting down, read-only, connection idle for too
 * long, disk full (1021, 1026, 1114), or as a node of a cluster: outside of it (1047, 3032), or gone from it during a
 * commit (1180, 3100), which the others may have taken. While a group changes its primary the old one refuses to write
 * to tables with cascading foreign keys (3098), and the new one lets nobody in before it has caught up (3781 to 3783).
 */
const serverUnable = new Set([
  ...writesRefused,
  ...[1040, 1047, 1053, 1077, 1079, 1159, 1161, 1180, 1203, 1317, 1927, 3032, 3098, 3100, 3169, 3781, 3782, 3783, 4031],
]);
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_ACCESS_DENIED_ERROR',
]);

/** True where the server answers and says that it takes no writes: it is there, although `isConnectionLoss` is true as well. */
export const isWriteRefused = (error: unknown): boolean => writesRefused.includes(mysqlErrno(error) ?? 0);

/** True when the database could not be reached or the connection broke; the outcome of a write is then unknown. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError' || ('fatal' in error && error.fatal === true)) return true;
  const errno = mysqlErrno(error);
  if (errno !== undefined && serverUnable.has(errno)) return true;
  if (!('code' in error) || typeof error.code !== 'string') return false;
  // The database's socket, where it is a file. Other files that are missing are faults of the service itself.
  if (error.code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect';
  return connectionCodes.has(error.code);
}

/** What a transaction had read before it took its locks had changed when it got them. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

const contention: ReadonlySet<number> = new Set([
  mysqlErrors.lockWaitTimeout,
  mysqlErrors.lockNotAvailable,
  mysqlErrors.deadlock,
  mysqlErrors.rolledBackInCommit,
]);

/**
 * True for a lock that was not granted, a deadlock or `ChangedMeanwhile`: nothing was written, and a retry may succeed.
 */
export function isContention(error: unknown): boolean {
  if (error instanceof ChangedMeanwhile) return true;
  const errno = mysqlErrno(error);
  return errno !== undefined && contention.has(errno);
}
