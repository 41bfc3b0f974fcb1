import { openZip, ZipError, type ZipPart } from '../../../workers/sheets/index.js';
import { importLimits } from '../../decisions/limits.js';
import { isModelFile, SourceError, type Source } from './source.js';

/**
 * Every `*.json` and `*.dmn` of a zip. Counts the bytes that are unpacked, because the stated sizes may be false.
 * @throws SourceError for a damaged zip, names that lead out of it, or more than the limits
 */
export function unzipModels(bytes: Uint8Array, shown: string): Source[] {
  const { files, fileBytes, totalBytes } = importLimits;
  const refusal = (reason: string): SourceError => new SourceError(`${shown} ${reason}`);
  const refused = (error: unknown, tooLarge: string): unknown => {
    if (!(error instanceof ZipError)) return error;
    return refusal(
      error.reason === 'damaged' ? 'is damaged, encrypted, or packed in a way other than deflate' : tooLarge,
    );
  };
  let parts: ZipPart[];
  try {
    parts = openZip(bytes, files);
  } catch (error) {
    throw refused(error, `has more than ${files} entries`);
  }
  let left = totalBytes;
  const sources = parts.flatMap((part): Source[] => {
    const { name } = part;
    if (leadsOut(name)) throw refusal(`names a file outside of itself: ${JSON.stringify(name)}`);
    if (!isModel(name)) return [];
    try {
      const unpacked = part.bytes(Math.min(fileBytes, left));
      left -= unpacked.length;
      return [{ path: `${shown}:${name}`, name, bytes: unpacked }];
    } catch (error) {
      const tooLarge =
        left < fileBytes ? `more than ${totalBytes} bytes` : `a file larger than ${fileBytes} bytes: ${name}`;
      throw refused(error, `holds ${tooLarge}`);
    }
  });
  if (sources.length === 0) throw refusal('has no .json or .dmn files in it');
  return sources;
}

const leadsOut = (name: string): boolean =>
  name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name) || name.split('/').includes('..');

/** macOS adds a shadow of each file. */
const isModel = (name: string): boolean => isModelFile(name) && !name.startsWith('__MACOSX/');
