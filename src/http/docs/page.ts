/** The page at `/docs`: nothing in it but references to files of this host, as its policy demands. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Verdict: API</title>
    <link rel="icon" href="docs/favicon-32x32.png" type="image/png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <noscript>This page needs JavaScript; the document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
    <main id="api"></main>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Runs in the browser. Without `validatorUrl: null` the viewer would send the document to a host of its makers. */
export const startScript = `SwaggerUIBundle({
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

export const styleSheet = `body { margin: 0; background: #fafafa }
noscript { display: block; padding: 2rem; font-family: sans-serif }
.swagger-ui .info { margin: 24px 0 }
`;
