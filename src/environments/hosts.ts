/**
 * An entry of an http allow-list in its one form: `host`, `host:port` or `*.host`, lower case. Undefined for anything
 * else, such as a whole URL or a bare `*`.
 */
export function parseHost(text: string): string | undefined {
  const [, wildcard = '', host = '', port] = /^(\*\.)?([^:/?#@*\s]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === '' || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) return undefined;
  const url = `http://${host}`;
  if (!URL.canParse(url)) return undefined;
  // The parser's form of the name is the one that requests are compared by (punycode, canonical addresses).
  return `${wildcard}${new URL(url).hostname}${port === undefined ? '' : `:${Number(port)}`}`;
}
