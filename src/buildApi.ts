/**
 * Generates the types of the API's requests and answers from its OpenAPI document, for the command line and the console.
 * The first build step (`npm run build:api`), bundled by esbuild, since the compiler needs what it makes.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOpenApi } from './api/openapi/document.js';
import { routesOf, type RouteParts } from './routes.js';

/** Stands for whatever a route needs to be declared: declarations use nothing of it. */
const nothing: object = new Proxy(() => undefined, { get: () => nothing, apply: () => nothing });

const folder = fileURLToPath(new URL('../../dist/openapi/', import.meta.url));
const input = `${folder}openapi.json`;
const types = `${folder}types.gen.d.ts`;

const document = JSON.stringify(createOpenApi(routesOf(nothing as RouteParts)));
if (!existsSync(types) || !existsSync(input) || readFileSync(input, 'utf8') !== document) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(input, document);
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input,
    output: { path: `${folder}generated` },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
  renameSync(`${folder}generated/types.gen.ts`, types);
}
