import { EngineError } from '../../errors.js';
import { chargeItems } from '../../zen/budget.js';
import type { Run } from '../feelRun.js';
import { isNumber, numberText } from './number.js';
import { FeelFunction, FeelRange, isContext, isList, type Feel } from './value.js';

/** A text that an operation made. @throws EngineError `limit_string`, `limit_memory` */
export function madeText(text: string, { state }: Run): string {
  const most = state.limits.stringLength;
  if (text.length > most) throw new EngineError('limit_string', `a text has more than ${most} characters`);
  if (text.length > 64) chargeItems(state, text.length >>> 3);
  return text;
}

/** A list that an operation made. @throws EngineError `limit_array` */
export function checkedLength(length: number, { state }: Run): void {
  const most = state.limits.arrayLength;
  if (length > most) throw new EngineError('limit_array', `a list has more than ${most} items`);
}

/** What `string(…)` gives for a value that is not null. */
export function textOf(value: Feel, run: Run): string {
  return typeof value === 'string' ? value : madeText(written(value, run), run);
}

function written(value: Feel, run: Run): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (isNumber(value)) return numberText(value);
  if (isList(value)) return `[${joined(value, (item) => written(item, run), run)}]`;
  if (isContext(value))
    return `{${joined([...value], ([name, item]) => `${keyText(name)}: ${written(item, run)}`, run)}}`;
  if (value instanceof FeelRange) return rangeText(value, run);
  if (value instanceof FeelFunction) return functionText(value);
  return value.toString();
}

const plainName = /^[\p{L}_?][\p{L}\p{N}_ ]*$/u;
const keyText = (name: string): string => (plainName.test(name) ? name : JSON.stringify(name));

const functionText = ({ name, parameters = [] }: FeelFunction): string =>
  `${name}(${parameters.map((each) => each.name).join(', ')})`;

function rangeText({ low, high, lowIncluded, highIncluded }: FeelRange, run: Run): string {
  const bound = (value: Feel): string =>
    value === null
      ? ''
      : typeof value === 'object' && !isNumber(value)
        ? `@${JSON.stringify(written(value, run))}`
        : written(value, run);
  return `${lowIncluded ? '[' : '('}${bound(low)}..${bound(high)}${highIncluded ? ']' : ')'}`;
}

function joined<T>(items: readonly T[], write: (item: T) => string, run: Run): string {
  const parts: string[] = [];
  let length = 0;
  for (const item of items) {
    const part = write(item);
    // Parts may be shared, so that a small value has an exponentially long text: it ends at the limit of texts.
    length += part.length + 2;
    if (length > run.state.limits.stringLength) madeText(' '.repeat(length), run);
    parts.push(part);
  }
  return parts.join(', ');
}
