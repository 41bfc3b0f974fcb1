import type { IncomingMessage } from 'node:http';
import { Problem } from '../../errors.js';

const jsonType = 'application/json';
export const linesType = 'application/x-ndjson';

/** The media type of a body in lower case, without parameters; empty where none is named. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const type = headers['content-type'] ?? '';
  const end = type.indexOf(';');
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase();
}

const unsupported = (detail: string): Problem => new Problem('unsupported_media_type', detail);

/** Throws `unsupported_media_type` for a body that is announced as anything but JSON in UTF-8. */
export function requireJson(request: IncomingMessage): void {
  if (request.headers['content-type'] === undefined) {
    throw unsupported(`Send the body with \`Content-Type: ${jsonType}\`.`);
  }
  if (mediaTypeOf(request) !== jsonType) throw unsupported(`The body must be \`${jsonType}\`.`);
  requireUtf8Charset(request);
}

/** The same for a body of many items. True where it is lines of JSON. @param orFile whether the message names files */
export function requireItems(request: IncomingMessage, orFile: boolean): boolean {
  const type = mediaTypeOf(request);
  if (type !== linesType && type !== jsonType)
    throw unsupported(
      `The body must be \`${jsonType}\`${orFile ? `, \`${linesType}\`, or a spreadsheet` : ` or \`${linesType}\``}.`,
    );
  requireUtf8Charset(request);
  return type === linesType;
}

function requireUtf8Charset({ headers }: IncomingMessage): void {
  const [, ...parameters] = headers['content-type']?.split(';') ?? [];
  if (parameters.length === 0) return;
  const named = parameters.map((part) => part.trim().toLowerCase()).find((part) => part.startsWith('charset='));
  if (named !== undefined && !/^charset="?utf-?8"?$/.test(named)) throw unsupported('JSON is sent in UTF-8.');
}
