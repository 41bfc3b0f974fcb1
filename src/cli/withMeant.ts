/** More would be a list to search. */
const most = 5;

/** Shorter ones begin too many words. */
const shortest = 5;

/**
 * What a person means who names a command that there is not. The parser looks for a word that is spelled alike, and so offers
 * `replay` for `deploy`; people rather know a command's last word, or the verb of a group.
 * @param text what the parser says of it
 * @param names of all commands, each with all its words
 */
export function withMeant(text: string, names: readonly string[]): string {
  const [, fault, word = ''] = /^(error: unknown command '(\S+)')(?:\n|$)/.exec(text) ?? [];
  if (fault === undefined) return text;
  const having = names.filter((name) => name.split(' ').includes(word));
  const groups = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  const begun = groups.filter((group) => word.length >= shortest && group.startsWith(word.slice(0, -1)));
  const meant = having.length > 0 ? having : begun;
  if (meant.length === 0 || meant.length > most) return text;
  const shown = meant.map((name) => `verdict ${name}`).join(', ');
  return `${fault}\n(Did you mean ${meant.length === 1 ? '' : 'one of '}${shown}?)\n`;
}
