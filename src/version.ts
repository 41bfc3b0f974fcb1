import { readFileSync } from 'node:fs';
import { packageFolder } from './packageFolder.js';

export const { version } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as {
  readonly version: string;
};
