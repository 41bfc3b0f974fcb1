import { problems, type ProblemCode } from '../../errors.js';
import { pageStyle } from '../docs/pageStyle.js';
import { readExplanation } from './explanation.js';
import { exampleLines } from './text.js';

/** The page of a code for a browser. Links are relative, so that it works below a proxy's prefix. */
export function problemHtml(code: ProblemCode): string {
  const { status, title } = problems[code];
  const { when, todo, related } = readExplanation(code);
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
<style>${pageStyle}</style>
</head>
<body>
<main class="page">
${main}
</main>
</body>
</html>
`;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escaped, with backticks turned into code elements. */
const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
