import { childOf, textWithin, type Definitions, type Element } from '../../../workers/engine/dmn/document.js';
import type { ColumnKind } from '../../../workers/cells/index.js';

/** Types of FEEL, and the names that modelers wrote before the standard had them. */
const kinds: Readonly<Record<string, ColumnKind>> = {
  ...{ number: 'number', integer: 'number', long: 'number', double: 'number' },
  ...{ string: 'text', boolean: 'boolean', date: 'date', time: 'time' },
  ...{ 'date and time': 'dateTime', dateTime: 'dateTime' },
};

/** A type may be made of others. */
const mostSteps = 12;

/** What the cells of a column are by its type; the type's own name where there is no kind for it, as for durations. */
export function kindOfType(typeRef: string | undefined, { items }: Definitions): string | undefined {
  let name = typeRef?.slice(typeRef.indexOf(':') + 1).trim();
  for (let steps = 0; steps < mostSteps && name !== undefined; steps++) {
    if (name === 'Any' || name === '') return undefined;
    const known = kinds[name];
    if (known !== undefined) return known;
    const item = items.find(({ attributes }) => attributes['name'] === name);
    const base = item && childOf(item, 'typeRef')?.text.trim();
    if (item === undefined || base === undefined) return name;
    if (textWithin(item, 'allowedValues') !== undefined && kinds[base] === 'text') return 'list';
    name = base;
  }
  return undefined;
}

/** The type of an input: what its column says, else that of the data or decision that it names. */
export function inputType(input: Element, { parts }: Definitions): string | undefined {
  const named = textWithin(input, 'inputExpression')?.trim();
  return childOf(input, 'inputExpression')?.attributes['typeRef'] ?? parts.find(({ name }) => name === named)?.typeRef;
}
