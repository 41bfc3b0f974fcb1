import { stepsOf } from '../graph/fields.js';

/** A field of a result as an expression has it: `result.rate`, and `result["Interest rate"]` of a name that is no word there. */
export const expressionOf = (pointer: string): string =>
  `result${stepsOf(pointer)
    .map((step) => (/^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${quoted(step)}]`))
    .join('')}`;

/** Texts have no escapes there. Of the room that reads cells, pages that only write them load nothing. */
export const quoted = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`);
