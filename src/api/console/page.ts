import type { Config } from '../../config/config.js';
import { escaped } from '../printed.js';
import type { Manifest } from './files.js';

/** The console's pages; each is the same document, whose script draws the page that the address names. */
export const consolePages = [
  '/console',
  '/console/decisions',
  '/console/decisions/:id',
  '/console/decisions/:id/edit',
  '/console/decisions/:id/compare',
  '/console/decisions/:id/outcomes',
  '/console/deployments',
  '/console/environments/:id',
  '/console/requests',
  '/console/requests/:id',
  '/console/executions',
  '/console/executions/:id',
  '/console/replays',
  '/console/replays/:id',
  '/console/shadows/:id',
  '/console/audit',
  '/console/oversight',
  '/console/pool',
  '/console/access',
] as const;

/** An OpenID provider for people. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  /** What its tokens must be addressed to. */
  readonly audience: string;
  /** Origins that the sign-in sends requests to. */
  readonly origins: readonly string[];
}

interface Page {
  /** The page's own, from the root. */
  readonly path: string;
  readonly manifest: Manifest;
  readonly provider: Provider | null;
}

/**
 * The document of every page of the console. It holds nothing but references to files of this host, as its policy demands.
 * They are relative, so that the console works below a proxy's prefix; `data-root` tells the script where the service is.
 */
export function consolePage({ path, manifest, provider }: Page): string {
  const root = '../'.repeat(path.split('/').length - 2) || './';
  const oidc =
    provider === null
      ? ''
      : ` data-issuer="${escaped(provider.issuer)}" data-client="${escaped(provider.clientId)}" data-audience="${escaped(provider.audience)}"`;
  return `<!doctype html>
<html lang="en" data-root="${root}"${oidc}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Verdict</title>
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="${root}console/files/${manifest.style}">
    <script type="module" src="${root}console/files/${manifest.script}"></script>
  </head>
  <body>
    <div id="console"></div>
    <noscript>The console needs JavaScript. <a href="${root}docs">The documentation</a> tells how to use the API.</noscript>
  </body>
</html>
`;
}

/** A fork in a way: what a decision is. In single quotes, which need no escape in the address. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='#2456a6'/>" +
      "<path d='M7 16h7l8-8m-8 8 8 8' fill='none' stroke='#fff' stroke-width='3' stroke-linecap='round'/></svg>",
  );

/**
 * Of the settings CONSOLE_OIDC, CONSOLE_OIDC_CLIENT and TRUSTED_ISSUERS. Its endpoint for tokens must be at the origin of
 * the issuer or of its keys: the pages' policy names no other.
 */
export function providerOf({
  consoleOidc,
  consoleOidcClient,
  trustedIssuers,
}: Pick<Config, 'consoleOidc' | 'consoleOidcClient' | 'trustedIssuers'>): Provider | null {
  const trusted = trustedIssuers.find(({ issuer }) => issuer === consoleOidc);
  if (trusted === undefined) return null;
  const { issuer, jwksUri, audience } = trusted;
  const origins = [...new Set([issuer, jwksUri].map((address) => new URL(address).origin))];
  return { issuer, clientId: consoleOidcClient, audience, origins };
}
