/** Where the build puts what the service shows about itself. Alone in its file, because it is found from here, and not from a bundle. */
export const guidesFolder = new URL('guides/', import.meta.url);
/** `<code>.html` and `<code>.plain`; `index` is the list of codes. */
export const problemsFolder = new URL('problems/', import.meta.url);
/** The command line as a package for npm, which the service hands out. */
export const commandLineFile = new URL('verdict.tgz', import.meta.url);
/** The OpenAPI document, as it is served. */
export const openApiFile = new URL('../../../openapi/openapi.json', import.meta.url);
