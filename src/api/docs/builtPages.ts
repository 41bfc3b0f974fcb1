/** Where the build puts what the service shows about itself. Alone in its file, because it is found from here, and not from a bundle. */
export const guidesFolder = new URL('guides/', import.meta.url);
export const problemsFolder = new URL('problems/', import.meta.url);
export const commandLineFile = new URL('verdict.tgz', import.meta.url);
export const openApiFile = new URL('../../../openapi/openapi.json', import.meta.url);
