/** Where the build puts the pages of the guides. Alone in its file, because it is found from here, and not from a bundle. */
export const guidesFolder = new URL('guides/', import.meta.url);
