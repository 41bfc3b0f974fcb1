import type { FunctionScript } from './types.js';

/** The author's code as QuickJS knows it. */
export interface UserModule {
  /** The name that stands in stack traces. */
  readonly name: string;
  /** What QuickJS evaluates: the author's source, of version 1 with an export behind it. */
  readonly source: string;
  /** What the author wrote. */
  readonly written: string;
  /** Whether columns in `source` and `written` agree; lines always do. */
  readonly keepsColumns: boolean;
}

/** The module that a source is evaluated as. @param javascript of it, where it is known to be TypeScript */
export function moduleOf({ source, version }: FunctionScript, name: string, javascript = source): UserModule {
  if (version === 1)
    return { name, written: source, source: `${source}\n;export default handler;`, keepsColumns: true };
  return { name, written: source, source: javascript, keepsColumns: javascript === source };
}
