import { readFile } from 'node:fs/promises';
import { EngineError } from '../errors.js';
import { guestFolder } from './guestFolder.js';

/** What is put into QuickJS before any tenant's code. */
export interface Guest {
  /** A script whose value is the prelude's `boot`. */
  readonly prelude: string;
  /** A script whose value is a function that takes the types out of TypeScript. */
  readonly typescript: string;
  /** Source of what function nodes may import, by name. */
  readonly modules: ReadonlyMap<string, string>;
  /** A module that evaluates all of them. */
  readonly loader: string;
  /** The global under which the loader finds what `boot` returned. */
  readonly bootGlobal: string;
}

const bootGlobal = '__boot';

/** Names of what the modules of the prelude's own export; guest/prelude.ts gives the values. */
const services: Readonly<Record<'zen' | 'http', readonly string[]>> = {
  zen: ['evaluateExpression', 'evaluateUnaryExpression', 'evaluate'],
  http: ['get', 'head', 'post', 'put', 'patch', 'delete'],
};

/** Reads the bundles that build.ts made into a folder. Rejects with EngineError when they are not there. */
export async function readGuest(folder = guestFolder): Promise<Guest> {
  const bundle = (name: string): Promise<string> => readFile(new URL(`${name}.mjs`, folder), 'utf8').catch(missing);
  const [prelude, typescript, dayjs, big, zod] = await Promise.all([
    bundle('prelude'),
    bundle('typescript'),
    bundle('dayjs'),
    bundle('big'),
    bundle('zod'),
  ]);
  const modules = new Map([
    ['dayjs', dayjs],
    ['big.js', big],
    ['zod', zod],
    ['zen', serviceModule('zen')],
    ['http', serviceModule('http')],
    ['env', `const env = globalThis.${bootGlobal}.modules.env; export { env }; export default env;`],
  ]);
  const loader = `
    import dayjs from 'dayjs';
    import Big from 'big.js';
    import 'zod';
    import 'zen';
    import 'http';
    import 'env';
    globalThis.${bootGlobal}.adopt(dayjs, Big);
  `;
  return {
    prelude: `(() => { ${prelude}; return prelude.boot; })()`,
    typescript: `(() => { ${typescript}; return typescript.strip; })()`,
    modules,
    loader,
    bootGlobal,
  };
}

/** Without the cause: it names files, and tenants read this. */
function missing(): never {
  throw new EngineError('function_unavailable', 'Function nodes are not built here: run `npm run build`.');
}

function serviceModule(name: 'zen' | 'http'): string {
  const exported = services[name].map((key) => `const _${key} = all.${key}; export { _${key} as ${key} };`);
  return `const all = Object.freeze(globalThis.${bootGlobal}.modules.${name}); export default all; ${exported.join('\n')}`;
}
