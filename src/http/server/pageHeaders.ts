import { createHash } from 'node:crypto';

/** The policy of a page that is all there is: its own style sheet, no script, nothing from anywhere; also where it is stored. */
export const plainPolicy = (style: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** The same where it is served: in no frame. */
export const servedPolicy = (policy: string): string => `${policy}; frame-ancestors 'none'`;

/**
 * The policy of the service's pages with scripts: nothing from another host, nothing inline, in no frame. Icons are data:
 * images. @param connect further origins that scripts may send requests to
 */
export const pagePolicy = (connect: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Headers of such a page and of its files. @param policy of `pagePolicy` */
export const pageHeaders = (policy: string): Record<string, string> => ({
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});
