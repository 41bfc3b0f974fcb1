import { Problem } from '../errors.js';
import type { RequestHeader } from './operation.js';

const pattern = /^[\x21-\x7e]{1,255}$/;

/** A header that is a caller's own key or id: 1 to 255 visible ASCII characters. Throws `validation_failed` for others. */
export function readVisible(name: RequestHeader, value: string | undefined): string | undefined {
  if (value === undefined || pattern.test(value)) return value;
  throw new Problem('validation_failed', `The header ${name} is not valid.`, {
    errors: [{ in: 'header', pointer: name, message: 'must be 1 to 255 visible ASCII characters' }],
  });
}
