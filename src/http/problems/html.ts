import { createHash } from 'node:crypto';
import { problems, type ProblemCode } from '../../errors.js';
import { explanations, type Explanation } from './explanations.js';
import { exampleLines } from './text.js';

const style = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #5a6474; --paper: #fff; --box: #f4f6f8; --line: #dde2e8; --link: #0b5cad }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --soft: #9aa5b4; --paper: #14181f; --box: #1d232d; --line: #313a47; --link: #7db8f5 }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem }
a { color: var(--link) }
h1 { margin: .25rem 0 0; font-size: 1.7rem; line-height: 1.25 }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem }
.meta { margin: .5rem 0 0; color: var(--soft) }
.meta b { color: var(--ink) }
li { margin: .35rem 0 }
code, pre { font: .88em/1.5 ui-monospace, Consolas, monospace }
code { background: var(--box); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse }
td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
`;

/** Nothing but the page's own style sheet; no script, no frame, no other host. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of a code for a browser. Links are relative, so that it works below a proxy's prefix. */
export function problemHtml(code: ProblemCode): string {
  const { status, title } = problems[code];
  const { when, todo, related }: Explanation = explanations[code];
  return document(
    code,
    `<p class="meta"><a href="../problems">All codes</a></p>
<h1>${escape(title)}</h1>
<p class="meta">Code <b>${code}</b>, HTTP status <b>${status}</b></p>
<h2>When it happens</h2>
${when.map((paragraph) => `<p>${prose(paragraph)}</p>`).join('\n')}
<h2>What to do</h2>
<ul>
${todo.map((step) => `<li>${prose(step)}</li>`).join('\n')}
</ul>
<h2>Example</h2>
<pre>${escape(exampleLines(code).join('\n'))}</pre>
<h2>See also</h2>
<ul>
${related.map((other) => `<li><a href="${other}">${other}</a>: ${escape(problems[other].title)}</li>`).join('\n')}
</ul>`,
  );
}

/** The list of codes for a browser. */
export function indexHtml(): string {
  const rows = Object.entries(problems).map(
    ([code, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="problems/${code}">${code}</a></td><td>${escape(title)}</td></tr>`,
  );
  return document(
    'Error codes',
    `<h1>Error codes</h1>
<p>An error body (RFC 9457) names one of these codes in <code>code</code>, and its page in <code>type</code>. Programs look at
the code; <code>detail</code> is for people and may change.</p>
<table>
${rows.join('\n')}
</table>
<p class="meta">The token endpoint alone answers as OAuth 2.0 says: <code>{"error", "error_description"}</code>.</p>`,
  );
}

const document = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} | Verdict</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escaped, with what stands in backticks as code. */
const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
