/** A whole number from the environment; undefined when the variable is unset or empty. Throws for anything else. */
export function wholeNumber(variable: string): number | undefined {
  const text = process.env[variable] ?? '';
  const value = Number(text);
  if (text !== '' && !Number.isInteger(value)) throw new Error(`${variable} must be a whole number, not ${text}`);
  return text === '' ? undefined : value;
}

/** `make test-long` and `make fuzz` take the long form of tests that are as thorough as they have time. */
export const isLong = process.env['LONG'] === '1';

/** How many random cases a property takes: all in the long form, a tenth of them in the short one. */
export const cases = (all: number): number => (isLong ? all : Math.max(Math.min(all, 10), Math.ceil(all / 10)));

/** What random cases are made from. `make test` says the same of the same sources; `make fuzz` takes a new seed each time. */
export const seed = wholeNumber('SEED') ?? 1;

/** Skips what needs a tool that the machine lacks. The check of a fresh clone sets ALL_TOOLS=1: there it fails. */
export function needs(context: Mocha.Context, tool: string, isThere: boolean): void {
  if (isThere) return;
  if (process.env['ALL_TOOLS'] === '1') throw new Error(`this machine has no ${tool}`);
  context.skip();
}

/**
 * Milliseconds that something may take which takes at most so many on a quiet machine: ten times as many, since the machine may
 * be slow or busy. The long form is run on a quiet one, and holds it to the number itself.
 */
export const allowedMs = (quietMs: number): number => (isLong ? 1 : 10) * quietMs;
