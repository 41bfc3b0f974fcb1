import { OutboundRefused } from './policy.js';

/** Headers that belong to the connection or that the client sets by itself (RFC 9110 7.6.1 and framing). */
const connectionHeaders: ReadonlySet<string> = new Set([
  'accept-encoding', // bodies are read as they come: an encoded one could unfold past the size limit
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const maxHeaders = 64;
const maxHeaderLength = 16_384;
// RFC 9110 5.6.2 token; RFC 9110 5.5 field-value within Latin-1, without CR, LF or NUL.
const namePattern = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that a tenant may send, names in lower case. Those of the connection are dropped in silence, as browsers do.
 * Throws OutboundRefused for names or values that are not HTTP, and for too many.
 */
export function cleanHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const clean: Record<string, string> = {};
  let count = 0;
  let length = 0;
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!namePattern.test(name)) throw new OutboundRefused('a header has a name that HTTP does not allow');
    if (!valuePattern.test(value)) throw new OutboundRefused(`header ${name} has a value that HTTP does not allow`);
    if (connectionHeaders.has(name)) continue;
    count += 1;
    length += name.length + value.length;
    if (count > maxHeaders || length > maxHeaderLength) throw new OutboundRefused('too many or too long headers');
    clean[name] = value;
  }
  return clean;
}
