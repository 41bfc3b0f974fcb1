import type { CreateMonitor, Monitor } from '../api/types.js';
import type { Options } from '../parts/entries.js';

/** What a monitor watches, as somebody writes it, without JSON. */
export interface MonitorFields {
  readonly measure: 'field' | 'failed' | 'p99';
  readonly pointer: string;
  /** What the field is held against: a text, another constant, or nothing, where the drift of all its values counts. */
  readonly equals: 'text' | 'true' | 'false' | 'null' | 'any';
  readonly text: string;
  readonly comparison: Comparison;
  /** As it was typed: `0.2`, `0,2` or `20 %`. */
  readonly limit: string;
}

const operators = [
  ['>', 'above'],
  ['>=', 'at least'],
  ['<', 'below'],
  ['<=', 'at most'],
] as const;

type Comparison = `${'' | 'drift '}${(typeof operators)[number][0]}`;

export const measures: Options<MonitorFields['measure']> = [
  ['field', 'the share of results in which a field equals a value'],
  ['failed', 'the share of executions that failed'],
  ['p99', 'milliseconds in the engine, of all but the slowest 1 %'],
];

export const windows: Options<Monitor['window']> = [
  ['1h', 'the present hour and the one before'],
  ['24h', 'the present hour and the 24 before'],
];

export const comparisons: Options<Comparison> = [
  ...operators,
  ...operators.map(([sign, words]) => [`drift ${sign}`, `drift ${words}`] as const),
];

export const equalities: Options<MonitorFields['equals']> = [
  ['text', 'a text'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['any', 'any value, for drift'],
];

/** What people look for here, and do not find. */
export const equalsHint =
  'A result is compared with a text, true, false or null, never with a number: have the model give a text for it, such as "high", or watch the drift of all values.';

export function limitHint({ measure, comparison }: MonitorFields): string {
  if (comparison.startsWith('drift'))
    return 'How far it is from the version before, or the last 30 days: 0.1 is little, 0.25 is much.';
  return measure === 'p99' ? 'In milliseconds.' : 'A share, such as 0.2 or 20 %.';
}

/** What a new one begins with. @param pointer a field that is measured, where there is one */
export const newFields = (pointer: string | undefined): MonitorFields => ({
  measure: pointer === undefined ? 'failed' : 'field',
  pointer: pointer ?? '',
  equals: 'text',
  text: '',
  comparison: '>',
  limit: '',
});

/** A monitor as its form shows it. */
export function fieldsOf({ measure, condition }: Monitor): MonitorFields {
  const [, drift = '', operator = '', limit = ''] = /^(drift)?\s*([<>]=?)\s*(\S+)$/.exec(condition.trim()) ?? [];
  const [comparison = '>'] = comparisons.find(([each]) => each === `${drift} ${operator}`.trim()) ?? [];
  const shown = { comparison, limit };
  if (typeof measure === 'string') return { ...shown, measure, pointer: '', equals: 'text', text: '' };
  const { pointer, equals } = measure;
  const isText = typeof equals === 'string';
  return {
    ...shown,
    measure: 'field',
    pointer,
    equals: isText ? 'text' : equals === undefined ? 'any' : `${equals}`,
    text: isText ? equals : '',
  };
}

/** What the service is asked for. */
export const measuredBy = (fields: MonitorFields): Pick<CreateMonitor, 'measure' | 'condition'> => ({
  measure: measureOf(fields),
  condition: `${fields.comparison} ${numberOf(fields.limit)}`,
});

const constants = { true: true, false: false, null: null };

function measureOf({ measure, pointer, equals, text }: MonitorFields): CreateMonitor['measure'] {
  if (measure !== 'field') return measure;
  if (equals === 'any') return { pointer };
  return { pointer, equals: equals === 'text' ? text : constants[equals] };
}

/** `20 %` is 0.2; what is no number stays as it is, and the service says so. */
function numberOf(typed: string): string {
  const text = typed.trim().replace(',', '.');
  const [, percent] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text) ?? [];
  return percent === undefined ? text : String(Number((Number(percent) / 100).toFixed(9)));
}
