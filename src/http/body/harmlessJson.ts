import { Problem, type Violation } from '../../errors.js';
import { maxViolations, pointerStep } from './violations.js';

/** Messages for JSON that MySQL or a model can't handle. */
export const messages = {
  nul: 'must not contain the NUL character',
  surrogate: 'must not contain a lone surrogate',
  prototype: 'is not allowed as a name',
  range: 'is beyond the range of a number',
} as const;

/**
 * A cheap test for what needs a walk: escapes (NUL, lone surrogates), the name `__proto__`, numbers beyond a double's
 * range. The lookbehind counts digits from the first one only; from each, a body of long numbers would cost a third of
 * a second.
 */
const suspicious = /\\u|__proto__|\d[eE]\+?\d|(?<!\d)\d{300}/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Throws `validation_failed` with every fault, up to a limit. @param text what the value was parsed from */
export function requireHarmless(value: unknown, text: string): void {
  if (!suspicious.test(text)) return;
  const errors: Violation[] = [];
  walk(value, [], errors);
  if (errors.length > 0) throw harmful(errors);
}

export const harmful = (errors: readonly Violation[]): Problem =>
  new Problem('validation_failed', 'The body holds text or numbers that cannot be processed.', { errors });

/** @param path the names down to the value; a pointer is only built for a fault */
function walk(value: unknown, path: string[], errors: Violation[]): void {
  if (typeof value === 'string') blame(path, textFault(value), errors);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) blame(path, messages.range, errors);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      path.push(key);
      blame(path, key === '__proto__' ? messages.prototype : textFault(key), errors);
      walk(item, path, errors);
      path.pop();
      if (errors.length >= maxViolations) return;
    }
  }
}

function blame(path: readonly string[], fault: string | undefined, errors: Violation[]): void {
  if (fault === undefined || errors.length >= maxViolations) return;
  errors.push({ in: 'body', pointer: path.map(pointerStep).join(''), message: fault });
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return messages.nul;
  return loneSurrogate.test(text) ? messages.surrogate : undefined;
}
