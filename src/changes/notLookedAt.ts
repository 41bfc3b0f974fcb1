/** Decisions that are named of those that a version runs. */
export const mostNamed = 5;

/**
 * What stands behind the names of decisions that a version runs: what is found of its own tables, rows and tests says nothing
 * of theirs. Checks, pages and reports say it alike.
 */
export const notLookedAt = (count: number): string =>
  `${count > mostNamed ? `, and ${count - mostNamed} more` : ''}, which it runs, ${count === 1 ? 'was' : 'were'} not looked at`;
