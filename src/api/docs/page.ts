import { pageStyle } from './pageStyle.js';
import { guides } from './guides.js';

/**
 * The page at `/docs`: the guides, and the API viewer below them. It only refers to files of this host, as its policy
 * demands. Links are relative, so that it works below a proxy's prefix.
 */
export const indexPage = page(
  'Documentation',
  'docs/',
  `    <main class="page index">
      <h1>Verdict</h1>
      <p>Decision models over HTTP: isolated, recorded, explainable.</p>
      <ul class="guides">
${guides.map(({ name, title, summary }) => `        <li><a href="docs/${name}">${title}</a> <span>${summary}</span></li>`).join('\n')}
        <li><a href="problems">Error codes</a> <span>A page for each, which <code>type</code> leads to</span></li>
        <li><a href="openapi.json">OpenAPI</a> <span>What stands below, for programs</span></li>
      </ul>
      <h2 id="reference">API reference</h2>
      <noscript><p>It needs JavaScript.</p></noscript>
    </main>
    <div id="api"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>`,
  '<link rel="stylesheet" href="docs/swagger-ui.css">',
);

/** The page of a guide around its `article`, which is HTML. */
export function guidePage({ name, title }: (typeof guides)[number], article: string): string {
  const links = guides.map((guide) =>
    guide.name === name
      ? `<a href="${guide.name}" aria-current="page">${guide.title}</a>`
      : `<a href="${guide.name}">${guide.title}</a>`,
  );
  return page(
    title,
    '',
    `    <main class="page">
      <nav aria-label="Guides"><a href="../docs">Documentation</a> ${links.join(' ')}</nav>
${article}
    </main>`,
  );
}

function page(title: string, files: string, body: string, more = ''): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} | Verdict</title>
    <link rel="icon" href="${files}favicon-32x32.png" type="image/png">
    ${more}
    <link rel="stylesheet" href="${files}page.css">
  </head>
  <body>
${body}
  </body>
</html>
`;
}

/**
 * Runs in the browser. Without `validatorUrl: null` the viewer would send the document to a host of its makers. The
 * class `dark-mode` is the viewer's own switch for dark colours.
 */
export const startScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  filter: true,
  validatorUrl: null,
  syntaxHighlight: { theme: 'nord' },
});
`;

export const styleSheet = `${pageStyle}
.page nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin-bottom: 2rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); font-size: .9rem }
.page nav a { text-decoration: none }
.page nav a[aria-current] { color: var(--ink); font-weight: 600 }
.page h3 { margin: 1.5rem 0 .5rem; font-size: 1rem }
.page.index { max-width: 71rem; padding-bottom: 0 }
.page .guides { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 0 1.5rem; list-style: none; margin: 1.5rem 0 0; padding: 0 }
.page .guides li { margin: 0; padding: .6rem 0; border-top: 1px solid var(--line) }
.page .guides li > a { display: block; font-weight: 600 }
.page .guides span { color: var(--soft); font-size: .92rem }
.page th { padding: .4rem .75rem .4rem 0; border-bottom: 2px solid var(--line); text-align: left; vertical-align: bottom }
.page td:first-child { min-width: 8rem }
@media (max-width: 36rem) {
  .page thead { display: none }
  .page table, .page tbody, .page tr, .page td { display: block }
  .page tr { padding: .6rem 0; border-bottom: 1px solid var(--line) }
  .page td { padding: .1rem 0; border: 0 }
  .page td:first-child { font-weight: 600 }
  .page td:not(:first-child)::before { content: attr(data-label) ': '; color: var(--soft) }
}
.page pre code { padding: 0; background: none; font: inherit }
.page pre:has(> .language-text) { margin-top: -.75rem; border-style: dashed; background: none; color: var(--soft) }
#api { max-width: 73.5rem; margin: 0 auto }
.swagger-ui .info { margin: 12px 0 }
.swagger-ui .info hgroup { display: none }
html.dark-mode #api .swagger-ui, html.dark-mode #api .scheme-container { background: none }
#api .scheme-container { padding: 12px 0; border-bottom: 1px solid var(--line); box-shadow: none }
@media (max-width: 36rem) {
  #api .opblock-tag { flex-wrap: wrap }
  #api .opblock-tag small { flex: 1 0 100%; order: 1; padding: 0 }
}
`;
