import { readFileSync } from 'node:fs';
import { packageFolder } from './packageFolder.js';

/** The version of the package: of the server, the command line and the image. */
export const { version } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as {
  readonly version: string;
};
