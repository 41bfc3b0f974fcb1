import type { ConnectionOptions } from '../connection.js';

/** Of `verdict batch run`. */
export interface RunOptions extends ConnectionOptions {
  readonly environment: string;
  readonly decision: string;
  readonly output?: string;
  readonly resume?: boolean;
  readonly key?: string;
  readonly reference?: string;
}
