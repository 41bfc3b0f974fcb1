import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';

/** A place in a compiled file, as stacks of modules and of scripts name it. */
const place = /(?:file:\/\/)?(\/[^\s():]+\.js):(\d+):(\d+)/g;

/**
 * The stack with lines of the sources in place of those that were compiled of them. Node does so by itself with `--enable-source-maps`, for
 * each error whose stack anybody looks at, of which libraries make thousands that nobody sees, and reads the map of each file that it loads.
 */
export function inSources(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(place, (compiled, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, mapOf(file));
    // Lines and columns of maps count from 0.
    const found = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !('originalSource' in found)) return compiled;
    const { originalSource, originalLine, originalColumn } = found;
    return `${resolve(dirname(file), originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  const map = `${file}.map`;
  return existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8')) as SourceMapPayload) : undefined;
}
