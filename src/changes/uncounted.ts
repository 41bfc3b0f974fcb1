/** So many names stand in a sentence. */
const mostNamed = 5;

/**
 * That tests reach nothing of the decisions that a model runs, in words. Pages say it beside each share, and checks do.
 *
 * @param names as its nodes have them
 * @returns null where it runs no other one
 */
export function uncountedText(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  const named = names.slice(0, mostNamed).map((name) => name.replace(/\.json$/, ''));
  const [what, need] =
    names.length === 1 ? ['decision', 'it needs tests of its own'] : ['decisions', 'they need tests of their own'];
  return `Those of the ${what} that it runs (${named.join(', ')}${more}) are not counted: ${need}.`;
}
