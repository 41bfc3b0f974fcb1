/** The field of a column that somebody has only named: `Credit score` is `creditScore`, `Größe` keeps its name. */
export function fieldFor(name: string, isOutput: boolean): string {
  const title = name.trim();
  if (/^[A-Za-z_][\w.]*$/.test(title)) return title[0] === title[0]?.toUpperCase() ? lowered(title) : title;
  if (title === '') return '';
  const words = title.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const joined = words.map((word, at) => (at === 0 ? lowered(word) : raised(word))).join('');
  if (/^[A-Za-z_]\w*$/.test(joined)) return joined;
  // What is written is no expression; what is read may be a key that ZEN has no name for.
  return isOutput ? joined : `$root["${title.replaceAll('"', '')}"]`;
}

const lowered = (word: string): string =>
  word === word.toUpperCase() ? word.toLowerCase() : (word[0]?.toLowerCase() ?? '') + word.slice(1);

const raised = (word: string): string => (word[0]?.toUpperCase() ?? '') + word.slice(1).toLowerCase();
