import { existsSync } from 'node:fs';
import { ConfigError } from '../config/config.js';
import { Problem } from '../errors.js';
import { packageFolder } from '../packageFolder.js';
import { isConnectionLoss, mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';

/** How every command ends (lifecycle.md, section 15). */
export const exitCodes = { done: 0, refused: 1, badUsage: 2, nothingChanged: 3, notSignedIn: 4 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line itself is wrong in a way that its parser can't see. Exit 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError where none of the values is there: nothing would change */
export function requireChange(values: Readonly<Record<string, unknown>>, message: string): void {
  if (Object.values(values).every((value) => value === undefined)) throw new UsageError(message);
}

/** The command was understood and not done; `message` may have several lines and says what to do next. Exit 1. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}

/** There is no service and client to work with, or the service does not know the client. Exit 4. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/** `make run` is nothing that an image has, or who got the command line from a server. */
export const isCheckout = existsSync(new URL('Makefile', packageFolder));

const signIn = isCheckout
  ? 'Sign in with `verdict login`, set VERDICT_URL, VERDICT_CLIENT_ID and VERDICT_CLIENT_SECRET, or start `make run`.'
  : 'Sign in with `verdict login`, or set VERDICT_URL, VERDICT_CLIENT_ID and VERDICT_CLIENT_SECRET.';

const unknownDatabase = 1049;

/** What the person at the terminal reads, and how the command ends. Never a stack. */
export function describeFailure(error: unknown, database: string): { message: string; exit: ExitCode } {
  if (error instanceof UsageError) return { message: `error: ${error.message}`, exit: exitCodes.badUsage };
  if (error instanceof NotSignedIn) {
    return { message: `error: ${error.message}. ${signIn}`, exit: exitCodes.notSignedIn };
  }
  return { message: `error: ${explain(error, database)}`, exit: exitCodes.refused };
}

function explain(error: unknown, database: string): string {
  if (error instanceof Refusal || error instanceof ConfigError) return error.message;
  // A lost connection may come wrapped as 503; its cause says more.
  const cause = error instanceof Problem && error.options.cause !== undefined ? error.options.cause : error;
  if (isConnectionLoss(cause)) {
    return `the database at ${database} cannot be reached${codeOf(cause)}. Start one with \`make run\`, or correct DATABASE_URL.`;
  }
  const errno = mysqlErrno(cause);
  if (errno === mysqlErrors.noSuchTable || errno === unknownDatabase) {
    return `the database at ${database} has not been set up yet. \`make run\` does it.`;
  }
  if (error instanceof Problem) return [error.message, ...violationLines(error.options.errors ?? [])].join('\n');
  const text = error instanceof Error ? error.message : String(error);
  return `something unforeseen happened: ${text.split('\n', 1)[0] ?? ''}. Nothing more was done; please report it with the command that you ran.`;
}

/** Where a request breaks the rules of its operation, a line each. */
export const violationLines = (errors: readonly { readonly pointer: string; readonly message: string }[]): string[] =>
  errors.map(({ pointer, message }) => `  ${pointer === '' ? 'the body' : pointer} ${message}`);

/** Of Node's errors: ` (EACCES)`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
}
