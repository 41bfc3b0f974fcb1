import { fileURLToPath } from 'node:url';

/** The project's folder: two above this file's compiled form in `dist/db/`. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
