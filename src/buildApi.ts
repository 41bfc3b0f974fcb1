/**
 * Generates the API's document and operations for the command line and the console, and for that the functions of the
 * language. A build step. With `--types` it also makes the types of requests and answers, which only the check of types
 * needs (`make lint`).
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { languageReference } from '../workers/engine/index.js';
import { createOpenApi } from './api/openapi/document.js';
import { formsOf } from './api/openapi/forms.js';
import { roleNames, roles } from './oauth/roles.js';
import { routesOf, type RouteParts } from './routes.js';

/** Stands for whatever a route needs to be declared: declarations use nothing of it. */
const nothing: object = new Proxy(() => undefined, { get: () => nothing, apply: () => nothing });

const folder = fileURLToPath(new URL('../../dist/openapi/', import.meta.url));
const input = `${folder}openapi.json`;
const types = `${folder}types.gen.d.ts`;

const api = routesOf(nothing as RouteParts);
const described = createOpenApi(api);
const document = JSON.stringify(described);
mkdirSync(folder, { recursive: true });
const changed = !existsSync(input) || readFileSync(input, 'utf8') !== document;
if (changed) {
  writeFileSync(input, document);
  rmSync(types, { force: true });
}
if (process.argv.includes('--types') && !existsSync(types)) {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input,
    output: { path: `${folder}generated` },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
  renameSync(`${folder}generated/types.gen.ts`, types);
}

const entries = api.routes.map(
  ({ operationId, method, path, body }) => [operationId, { method, path, hasBody: body !== undefined }] as const,
);
writeFileSync(
  `${folder}operations.gen.js`,
  `export const operations = ${JSON.stringify(Object.fromEntries(entries), null, 2)};\n`,
);
const forms = formsOf(api.routes, described);
// An export each: a bundle takes those of the forms that it has, and leaves the others out.
writeFileSync(
  `${folder}forms.gen.js`,
  forms.map(({ id, ...form }) => `export const ${id} = ${JSON.stringify(form)};\n`).join(''),
);
writeFileSync(
  `${folder}forms.gen.d.ts`,
  `import type { Routes } from './operations.gen.js';

/** What a form asks of an operation. */
export interface Form<Route extends keyof Routes> {
  readonly route: Route;
  /** The JSON Schema of its body, without what no form needs; null where it has none. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

${forms.map(({ id, route }) => `export declare const ${id}: Form<'${route}'>;\n`).join('')}`,
);
// What pages of the console ask for by themselves: the rest is by buttons, which `May` withholds.
const scopesOf = api.routes.flatMap((route) => {
  if (!('scope' in route) || route.method !== 'GET' || /^\/fuse|\./.test(route.path)) return [];
  const others =
    route.by === 'workspace' ? (route.orScopes ?? []) : [route.orScope].filter((each) => each !== undefined);
  return [[`${route.method} ${route.path}`, [route.scope, ...others].join(' ')] as const];
});
writeFileSync(
  `${folder}scopes.gen.js`,
  `export const scopesOf = ${JSON.stringify(Object.fromEntries(scopesOf), null, 2)};\n`,
);
writeFileSync(
  `${folder}scopes.gen.d.ts`,
  `/** Of what is read, by method and path: a token needs one of them, with a blank between. */
export declare const scopesOf: Readonly<Record<string, string>>;
`,
);
writeFileSync(`${folder}roles.gen.js`, `export const roles = ${JSON.stringify(roles, null, 2)};\n`);
writeFileSync(
  `${folder}roles.gen.d.ts`,
  `/** The sets of scopes that have a name, and what each is for. */
export declare const roles: Readonly<
  Record<${roleNames.map((name) => `'${name}'`).join(' | ')}, { readonly about: string; readonly scopes: readonly string[] }>
>;
`,
);
const calls = languageReference.flatMap(({ entries: described }) =>
  described.map(({ name, call }) => [name, call] as const),
);
// Methods stand behind what they are of.
const functions = calls.filter(([name, call]) => call.startsWith(`${name}(`)).sort(([a], [b]) => (a < b ? -1 : 1));
const taken = functions.map(([name, call]) => [name, call.slice(name.length)] as const);
writeFileSync(
  `${folder}language.gen.js`,
  `export const zenFunctions = ${JSON.stringify(Object.fromEntries(taken), null, 2)};
`,
);
writeFileSync(
  `${folder}language.gen.d.ts`,
  `/** The functions of ZEN and what they take: \`round\` takes \`(x, places?)\`. */
export declare const zenFunctions: Readonly<Record<string, string>>;
`,
);
const typeOf = (id: string, part: 'Response' | 'Data'): string =>
  `types.${id.charAt(0).toUpperCase()}${id.slice(1)}${part}`;
writeFileSync(
  `${folder}operations.gen.d.ts`,
  `import type * as types from './types.gen.js';

/** One operation of the API. */
export interface Operation<Reply> {
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
  /** Never set: the type of the answer. */
  readonly reply?: Reply;
}

/** All operations, by their ids. */
export declare const operations: {
${entries.map(([id]) => `  readonly ${id}: Operation<${typeOf(id, 'Response')}>;\n`).join('')}};

/** What goes out and what comes back, by method and path. */
export interface Routes {
${entries
  .map(
    ([id, { method, path }]) =>
      `  '${method} ${path}': { data: ${typeOf(id, 'Data')}; reply: ${typeOf(id, 'Response')} };\n`,
  )
  .join('')}}
`,
);
