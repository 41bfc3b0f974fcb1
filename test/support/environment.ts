/** A whole number from the environment; undefined when the variable is unset or empty. Throws for anything else. */
export function wholeNumber(variable: string): number | undefined {
  const text = process.env[variable] ?? '';
  const value = Number(text);
  if (text !== '' && !Number.isInteger(value)) throw new Error(`${variable} must be a whole number, not ${text}`);
  return text === '' ? undefined : value;
}

/** What random cases are made from. `make test` says the same of the same sources; `make fuzz` takes a new seed each time. */
export const seed = wholeNumber('SEED') ?? 1;
