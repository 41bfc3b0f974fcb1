/**
 * Where the build puts the console: its bundles beside `manifest.json`, each also compressed (`.br`, `.gz`). Alone in its
 * file, because it is found from here, and not from a bundle.
 */
export const consoleFolder = new URL('files/', import.meta.url);
