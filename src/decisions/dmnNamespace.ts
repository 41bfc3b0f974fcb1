import { dmnType } from '../../workers/engine/index.js';

/** Characters of a document in which its first tag stands. */
const mostUnits = 64 * 1024;
/** As its column. */
const longestNamespace = 512;

/** XML has no `<` within a tag: the search for its end stops there, else one that never ends would be read again from each `<`. */
const firstTag = /<(?:[\w.-]+:)?definitions\b((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/;
const marks: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);
const attribute = /\snamespace\s*=\s*(?:"([^"]*)"|'([^']*)')/;

/**
 * The namespace of a DMN document, by which others may import it: read off its first tag, without reading the document.
 * @param content as it is stored: JSON
 */
export function namespaceOf(content: string | Uint8Array): string | undefined {
  const bytes = typeof content === 'string' ? content : Buffer.from(content.buffer, content.byteOffset, content.length);
  if (!bytes.includes(`"${dmnType}"`)) return undefined;
  const start = bytes.indexOf('"xml":"');
  if (start === -1) return undefined;
  const head = bytes.slice(start, start + mostUnits).toString();
  const xml = head.replaceAll(/\\[nrt]/g, ' ').replaceAll(/\\(["\\/])/g, '$1');
  const [, double, single] = attribute.exec(firstTag.exec(xml)?.[1] ?? '') ?? [];
  const namespace = (double ?? single)?.replaceAll(
    /&(amp|lt|gt|quot|apos);/g,
    (_, name: string) => marks.get(name) ?? '',
  );
  return namespace === undefined || namespace === '' || namespace.length > longestNamespace ? undefined : namespace;
}
