/** Text as HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const strings = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const words = (list: string): string => `(?<![\\w/.-])(?:${list.replaceAll(' ', '|')})(?![\\w/.-])`;

/** By the language: comments, words of it, names of variables. */
const patterns: Readonly<Record<string, readonly [comments: string, keywords: string]>> = {
  sh: [
    '(?<=^|\\s)#.*$',
    words('export curl verdict for in do done if then fi until cat sed grep printf mkdir cp echo'),
  ],
  ts: [
    '//.*$|/\\*[^]*?\\*/',
    words('import from const let async await function return if for of throw new interface as yield readonly'),
  ],
  python: ['#.*$', words('import from def return if for in while try except with as raise and or not None True False')],
  json: ['(?!)', words('true false null')],
};

/** Code as HTML, with its comments (`c`), strings (`s`), words of the language (`k`) and variables (`v`) marked. */
export function highlighted(code: string, lang: string): string {
  const found = patterns[lang.split(' ', 1)[0] ?? ''];
  if (found === undefined) return escaped(code);
  const [comments, keywords] = found;
  const pattern = new RegExp(`(?<c>${comments})|(?<s>${strings})|(?<k>${keywords})|(?<v>\\$\\w+)`, 'gm');
  let html = '';
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const [kind = ''] =
      Object.entries(match.groups ?? {}).find(([, text]: [string, string | undefined]) => text !== undefined) ?? [];
    html += `${escaped(code.slice(at, match.index))}<span class="${kind}">${escaped(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return html + escaped(code.slice(at));
}
