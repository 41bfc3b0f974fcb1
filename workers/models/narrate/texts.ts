/** One text in several languages, by their tags: `{en, fi, sv, de}`. */
export type Texts = Readonly<Record<string, string>>;

/** The text in the first language that its reader understands, else in English, else in the first that there is. */
export function chosenText(
  texts: Texts,
  languages: readonly string[],
): { readonly text: string; readonly language: string } | undefined {
  const tags = Object.keys(texts);
  const wanted = [...languages, 'en'];
  const found = wanted.map((language) => tagFor(tags, language)).find((tag) => tag !== undefined) ?? tags[0];
  return found === undefined ? undefined : { text: texts[found] ?? '', language: found };
}

/** `fi-FI` is understood by who asks for `fi`, and the other way round. */
function tagFor(tags: readonly string[], language: string): string | undefined {
  const wanted = language.toLowerCase();
  const exact = tags.find((tag) => tag.toLowerCase() === wanted);
  return exact ?? tags.find((tag) => primary(tag) === primary(wanted));
}

const primary = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
