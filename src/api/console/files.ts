import { readBuiltFile } from '../../http/server/builtFile.js';

/** The names of the bundles, which change with their contents. */
export interface Manifest {
  readonly script: string;
  readonly style: string;
  /** Every file that is served, bundles that are loaded on demand among them. */
  readonly files: readonly string[];
}

type Encoding = 'br' | 'gzip' | 'identity';

const endings = { br: '.br', gzip: '.gz', identity: '' } as const satisfies Record<Encoding, string>;

const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    js: 'text/javascript; charset=utf-8',
    css: 'text/css; charset=utf-8',
    txt: 'text/plain; charset=utf-8',
  }),
);

interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
}

/** The built console: some megabytes with the editor. */
interface ConsoleFiles {
  manifest(): Manifest;
  /** Undefined where there is no such file. */
  file(name: string, encoding: Encoding): ConsoleFile | undefined;
}

/** @param folder the build's; where it is not there, files are `internal_error` */
export function createConsoleFiles(folder: URL): ConsoleFiles {
  const manifest = (): Manifest => JSON.parse(readBuiltFile(new URL('manifest.json', folder)).toString()) as Manifest;
  return {
    manifest,
    file(name, encoding) {
      if (!manifest().files.includes(name)) return undefined;
      const type = types.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream';
      return { type, body: readBuiltFile(new URL(name + endings[encoding], folder)) };
    },
  };
}
