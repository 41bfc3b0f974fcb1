/** Why the services could not be had, in words for the person at the terminal: what is wrong and what to do next. */
export class ServicesError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServicesError';
  }
}

/** The message of anything thrown. That of a connection tried at several addresses is empty: theirs say why. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(messageOf).join('; ');
  return 'code' in error ? String(error.code) : error.name;
}
