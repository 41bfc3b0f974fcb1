import { posix } from 'node:path';
import { formatJson } from '../../../workers/json/index.js';
import { dmnOf, dmnType, EngineError, textOfFile } from '../../../workers/engine/index.js';
import { testsOfTck } from '../../../workers/models/index.js';
import { SourceError, type Source } from './source.js';

const suffix = '.dmn';

/** Where the tests of a document stand: `loans/approval.tests.json` of `loans/approval.dmn`. */
const testsBeside = (name: string): string => `${name.slice(0, -suffix.length)}.tests.json`;

/**
 * Files as decisions' contents: a document of DMN becomes the content that holds it, byte for byte, with the tests in the
 * file beside it (dmn.md, section 26). All other files are what they were.
 */
export function withDmn(sources: readonly Source[]): Source[] {
  const byName = new Map(sources.map((source) => [source.name, source]));
  const used = new Set<string>();
  const read = sources.map((source) => {
    const xml = source.name.endsWith(suffix) ? xmlOf(source) : undefined;
    if (xml === undefined) return source;
    const beside = byName.get(testsBeside(source.name));
    const tests = beside === undefined ? undefined : listOf(beside.bytes);
    if (beside !== undefined && tests !== undefined) used.add(beside.name);
    const more = tests === undefined ? '' : `,"tests":${tests}`;
    return { ...source, bytes: Buffer.from(`{"contentType":"${dmnType}","xml":${JSON.stringify(xml)}${more}}`) };
  });
  return read.filter(({ name }) => !used.has(name));
}

/** Whether a file holds test cases of DMN's compatibility kit, and not XML of any other kind. */
export const isKitFile = ({ name, bytes }: Source): boolean =>
  name.endsWith('.xml') && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('testCases');

/**
 * Test files of the kit as tests of the documents that they name, after those in the file beside a document.
 * @throws SourceError for one that cannot be read, or whose document is not there
 */
export function withKitTests(sources: readonly Source[]): Source[] {
  const others = sources.filter((source) => !isKitFile(source));
  const beside = new Map<string, Source>();
  for (const { path, name, bytes: xml } of sources.filter(isKitFile)) {
    const { modelName, tests } = kitOf(path, xml);
    const document = posix.join(posix.dirname(name), modelName);
    if (!others.some((other) => other.name === document))
      throw new SourceError(`${path} tests ${JSON.stringify(modelName)}, which is not beside it`);
    const file = testsBeside(document);
    const known = beside.get(file) ?? others.find((other) => other.name === file);
    const written = (known && listOf(known.bytes))?.trim().slice(1, -1).trim() ?? '';
    const bytes = Buffer.from(`[${[written, ...tests].filter((test) => test !== '').join(',')}]`);
    beside.set(file, { path: known?.path ?? path, name: file, bytes });
  }
  return [...others.filter(({ name }) => !beside.has(name)), ...beside.values()];
}

const kitOf = (path: string, bytes: Uint8Array): ReturnType<typeof testsOfTck> =>
  readable(path, () => testsOfTck(textOfFile(bytes), posix.basename(path)));

/** @throws SourceError for a file that cannot be read */
function readable<Read>(path: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError) throw new SourceError(`${path} cannot be read. ${error.message}`);
    throw error;
  }
}

/** Undefined for what begins like JSON: that is read, and refused, as every other file. @throws SourceError */
function xmlOf({ path, bytes }: Source): string | undefined {
  const text = readable(path, () => textOfFile(bytes));
  return /^\uFEFF?\s*\{/.test(text) ? undefined : text;
}

/** A list's JSON text as it stands, so that its numbers keep their digits; undefined for anything else, such as a model. */
function listOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return Array.isArray(JSON.parse(text)) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The paths of the files that may hold a decision. */
export const pathsOf = (key: string): string[] => (key.endsWith(suffix) ? [key, testsBeside(key)] : [key]);

/** The files that a decision is written to, by path; null for a file that must not exist. `withDmn` reads them back. */
export function filesOf(key: string, content: unknown): Map<string, string | null> {
  const xml = key.endsWith(suffix) ? dmnOf(content) : undefined;
  if (xml === undefined) return new Map([[key, `${formatJson(content, 2)}\n`]]);
  const { tests } = content as { readonly tests?: unknown };
  return new Map([
    [key, xml],
    [testsBeside(key), tests === undefined ? null : `${formatJson(tests, 2)}\n`],
  ]);
}
