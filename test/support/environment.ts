/** A whole number from the environment; undefined when the variable is unset or empty. Throws for anything else. */
export function wholeNumber(variable: string): number | undefined {
  const text = process.env[variable] ?? '';
  const value = Number(text);
  if (text !== '' && !Number.isInteger(value)) throw new Error(`${variable} must be a whole number, not ${text}`);
  return text === '' ? undefined : value;
}
