/** The folder of the package. Alone in its file, because it is found from here, and not from a bundle. */
export const packageFolder = new URL('../../', import.meta.url);
