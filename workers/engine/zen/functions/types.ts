import type { RunState, Value } from '../../values.js';
import { chargeText } from '../budget.js';
import { ZenDate } from '../values/date.js';
import { kindOf, typeName } from '../values/kinds.js';
import { isNumeric, isZero, numberText, parseNumber, type Numeric } from '../values/numbers.js';
import { anything, callError, define, type CallSite, type ZenFunction } from './define.js';
import { trimText } from './text.js';

/** Text of a scalar or a date, as templates show it; undefined for other values. */
export function scalarText(value: Value): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      if (value === null) return 'null';
      if (value instanceof ZenDate) return value.toJSON();
      return isNumeric(value) ? numberText(value) : undefined;
  }
}

/** The empty text is true and any other text but `true` false: so it is in the reference. */
function toBoolean(run: RunState, value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null) return false;
  if (isNumeric(value)) return !isZero(value);
  if (typeof value !== 'string') return true;
  chargeText(run, value);
  const text = trimText(value);
  return text === 'true' || (text !== 'false' && value === '');
}

function numberOf(run: RunState, value: Value): Numeric | undefined {
  if (isNumeric(value)) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return undefined;
  chargeText(run, value);
  return parseNumber(trimText(value));
}

function toNumber(call: CallSite, run: RunState, value: Value): Numeric {
  const converted = numberOf(run, value);
  if (converted !== undefined) return converted;
  const what = typeof value === 'string' ? 'this text, which is no number' : kindOf(value);
  throw callError(call, `can't make a number of ${what}`);
}

export const typeFunctions: readonly ZenFunction[] = [
  define({
    name: 'string',
    parameters: [anything('value')],
    gives: 'a string',
    summary: 'A number, boolean, date or null as text.',
    example: "string(1.5) == '1.5'",
    run: (call, _run, value: Value) => {
      const text = scalarText(value);
      if (text === undefined) throw callError(call, `can't make a text of ${kindOf(value)}`);
      return text;
    },
  }),
  define({
    name: 'number',
    parameters: [anything('value')],
    gives: 'a number',
    summary: 'The number that a text names; 1 for true and 0 for false.',
    example: "number('1.5') == 1.5",
    run: toNumber,
  }),
  define({
    name: 'bool',
    parameters: [anything('value')],
    gives: 'a boolean',
    unary: 'equal',
    summary: "False for null, 0 and texts other than 'true' and ''; true for the rest.",
    example: 'bool(1) == true',
    run: (_call, run, value: Value) => toBoolean(run, value),
  }),
  define({
    name: 'isNumeric',
    parameters: [anything('value')],
    gives: 'a boolean',
    summary: 'Is it a number, or a text that names one?',
    example: "isNumeric('1.5')",
    run: (_call, run, value: Value) => typeof value !== 'boolean' && numberOf(run, value) !== undefined,
  }),
  define({
    name: 'type',
    parameters: [anything('value')],
    gives: 'a string',
    summary: 'null, bool, number, string, array, object, date or interval.',
    example: "type('a') == 'string'",
    run: (_call, _run, value: Value) => typeName(value),
  }),
];
