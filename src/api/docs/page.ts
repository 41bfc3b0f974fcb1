import { chapters, guides, type Guide } from './guides.js';

/** Where a page stands, as its links need it: they are relative, so that they work below a proxy's prefix. */
interface Place {
  /** The name of the guide; `reference`; empty at `/docs` itself. */
  readonly name: string;
  readonly title: string;
  /** More of the head. */
  readonly head?: string;
}

/** The page at `/docs`: what there is, by chapters. */
export const indexPage = page(
  { name: '', title: 'Documentation' },
  `<h1>Verdict</h1>
<p class="lead">Decision models over HTTP: isolated, recorded, explainable.</p>
<p class="calls"><a class="call" href="docs/start">Start</a> <a href="docs/reference">API reference</a></p>
${chapters
  .map(
    (chapter) => `<h2>${chapter}</h2>
<ul class="guides">
${of(chapter)
  .map(({ name, title, summary }) => `<li><a href="docs/${name}">${title}</a> <span>${summary}</span></li>`)
  .join('\n')}
</ul>`,
  )
  .join('\n')}
<h2>For programs</h2>
<ul class="guides">
<li><a href="openapi.json">OpenAPI</a> <span>The reference as a document, for generators of clients</span></li>
<li><a href="problems">Error codes</a> <span>A page for each, which <code>type</code> leads to</span></li>
</ul>`,
);

/** The API viewer, with a form that a client's id and secret are enough for. */
export const referencePage = page(
  {
    name: 'reference',
    title: 'API reference',
    head: '<link rel="stylesheet" href="swagger-ui.css">',
  },
  `<h1>API reference</h1>
<p>To try an operation: press <b>Authorize</b>, give the client's id and its secret, and select the scopes. The workspace is
filled in by itself, where the client has one. <a href="../openapi.json">The document</a> is OpenAPI 3.1.</p>
<noscript><p>It needs JavaScript.</p></noscript>
<div id="api"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="reference.js" type="module"></script>`,
);

/** A heading of a guide, for its list on the page. */
interface Heading {
  readonly anchor: string;
  readonly title: string;
}

/** The page of a guide around its `article`, which is HTML. */
export function guidePage({ name, title }: Guide, article: string, headings: readonly Heading[]): string {
  const at = guides.findIndex((guide) => guide.name === name);
  const [before, next] = [guides[at - 1], guides[at + 1]];
  const onward = [
    before === undefined ? '' : `<a class="before" href="${before.name}"><small>Before</small> ${before.title}</a>`,
    next === undefined ? '' : `<a class="next" href="${next.name}"><small>Next</small> ${next.title}</a>`,
  ];
  return page(
    { name, title },
    `<article>
${article}
</article>
<p class="onward">${onward.join('')}</p>`,
    headings.length < 2
      ? ''
      : `<nav class="toc" aria-label="On this page">
<p>On this page</p>
<ul>
${headings.map((heading) => `<li><a href="#${heading.anchor}">${heading.title}</a></li>`).join('\n')}
</ul>
</nav>`,
  );
}

function of(chapter: Guide['chapter']): readonly Guide[] {
  return guides.filter((guide) => guide.chapter === chapter);
}

function menu(current: string, prefix: string): string {
  const link = (name: string, title: string): string =>
    `<li><a href="${prefix}${name}"${name === current ? ' aria-current="page"' : ''}>${title}</a></li>`;
  return `<nav class="menu" id="menu" aria-label="Guides">
${chapters
  .map(
    (chapter) => `<p>${chapter}</p>
<ul>
${of(chapter)
  .map(({ name, title }) => link(name, title))
  .join('\n')}
</ul>`,
  )
  .join('\n')}
<p>Reference</p>
<ul>
${link('reference', 'API reference')}
<li><a href="${prefix}../problems">Error codes</a></li>
</ul>
</nav>`;
}

/** The menu stands behind the text: who reads with a small screen or by ear reaches it by the link at the top. */
function page({ name, title, head = '' }: Place, main: string, toc = ''): string {
  const prefix = name === '' ? 'docs/' : '';
  const home = name === '' ? 'docs' : '../docs';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} | Verdict</title>
<link rel="icon" href="${prefix}favicon-32x32.png" type="image/png">
${head}
<link rel="stylesheet" href="${prefix}page.css">
<script src="${prefix}guide.js" type="module"></script>
</head>
<body class="docs${name === 'reference' ? ' wide' : ''}">
<header class="top">
<a class="brand" href="${home}">Verdict <span>Docs</span></a>
<search hidden>
<input type="search" placeholder="Search" aria-label="Search the guides and the reference" aria-keyshortcuts="/" data-index="${prefix}search.json" data-prefix="${prefix}">
<ul class="found" aria-label="Found" hidden></ul>
</search>
<a class="to-menu" href="#menu">Menu</a>
</header>
<div class="frame">
<main class="page">
${main}
</main>
${toc}
${menu(name, prefix)}
</div>
</body>
</html>
`;
}
