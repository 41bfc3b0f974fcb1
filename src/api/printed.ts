import type { ShownFields } from '../../workers/models/index.js';
import { pageHeaders, plainPolicy, servedPolicy } from '../http/server/pageHeaders.js';
import type { Reply } from '../http/server/response.js';

/** A piece of HTML: what is put into it has been escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | readonly Html[];

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }),
);

/** A text as it stands in HTML, attributes included. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities.get(sign) ?? '');

/** HTML in which each value is a text, or HTML already. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((made, text, index) => made + partText(parts[index - 1] ?? '') + text));

const partText = (part: Part): string => {
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? (part ?? []).map(({ text }) => text).join('') : escaped(String(part));
};

const style = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #56606f; --paper: #fff; --box: #f4f6f8; --line: #d5dbe2 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --soft: #9aa5b4; --paper: #14181f; --box: #1d232d; --line: #313a47 }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 3rem }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25 } h2 { margin: 1.75rem 0 .5rem; font-size: 1.1rem }
.under { margin: .25rem 0 0; color: var(--soft) }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .25rem 1rem; margin: .5rem 0 }
dt { color: var(--soft) } dd { margin: 0; white-space: pre-wrap }
ol, ul { margin: .5rem 0; padding-left: 1.4rem } li { margin: .3rem 0 }
.reasons { list-style: none; padding: .75rem 1rem; background: var(--box); border: 1px solid var(--line); border-radius: 6px }
.mark { padding: .6rem 1rem; border: 2px solid var(--ink); border-radius: 6px; font-weight: 600 }
code { font: .9em ui-monospace, Consolas, monospace }
@media (max-width: 30rem) { main { padding: 1rem } dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .5rem } }
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #333; --paper: #fff; --box: #fff; --line: #888 }
  body { font-size: 10.5pt } main { max-width: none; padding: 0 } h2 { break-after: avoid } li, dd { break-inside: avoid }
  @page { margin: 18mm }
}
`;

/** Nothing is loaded and nothing runs, whatever stands in the values; also in a copy that is stored. */
const policy = plainPolicy(style);

/** A page for people, to be read, printed and handed over: it needs no other file. */
function pageText(title: string, body: Html): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>
<style>${style}</style></head><body><main>
${body.text}
</main></body></html>
`;
}

/** A page as an answer. */
export const printedReply = (title: string, body: Html): Reply => ({
  status: 200,
  body: pageText(title, body),
  headers: {
    'Content-Type': `${pageType}; charset=utf-8`,
    ...pageHeaders(servedPolicy(policy)),
    'Cache-Control': 'no-store',
    Vary: 'Accept, Accept-Language',
  },
});

export const pageType = 'text/html';

/** What a reader understands, the best first, by the header Accept-Language (RFC 9110, section 12.5.4). */
export function languagesOf(header: string | undefined): readonly string[] {
  const ranges = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', quality = ''] = range.split(';').map((part) => part.trim());
      return { tag, weight: quality.startsWith('q=') ? Number(quality.slice(2)) : 1 };
    });
  return ranges
    .filter(({ tag, weight }) => /^[a-z\d-]{1,35}$/i.test(tag) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

/** A list of names and values; those without a value are left out. */
export const namedValues = (
  values: readonly (readonly [name: string, value: string | Html | null | undefined])[],
): Html =>
  html`<dl>
    ${values.flatMap(([name, value]) =>
      value === null || value === undefined
        ? []
        : [
            html`<dt>${name}</dt>
              <dd>${value}</dd>`,
          ],
    )}
  </dl>`;

/** A time as people read it: `2026-01-31 09:30:00 UTC`. */
export const timeText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** The fields of a value, each by its path. */
export const fieldList = ({ shown, left }: ShownFields): Html =>
  left === 0
    ? namedValues(shown)
    : html`${namedValues(shown)}
        <p>and ${left} more fields</p>`;

/** Characters of a value within a sentence. */
const longestTold = 1000;

/** A value within a sentence, cut where it is long. */
export const valueTold = (json: string): string =>
  json.length <= longestTold ? json : `${json.slice(0, longestTold).toWellFormed()}… (${json.length} characters)`;
