import { fieldOf, type Field } from '../facts/fields.js';
import { stepOf } from '../graph/fields.js';
import type { Options } from '../parts/entries.js';
import { placeText } from '../parts/values.js';

/** What a form offers; others can be written. */
const most = 40;

/** The fields of a decision's results, each by its JSON Pointer and in words. @param schema of its results */
export const resultFields = (schema: unknown): Options<string> =>
  pointersOf(fieldOf(schema))
    .slice(0, most)
    .map((pointer) => [pointer, placeText(pointer)] as const);

const pointersOf = ({ fields }: Field): readonly string[] =>
  [...fields].flatMap(([name, field]) => {
    const own = `/${stepOf(name)}`;
    if (field.kind === 'list') return [];
    return field.kind === 'object' ? pointersOf(field).map((inner) => own + inner) : [own];
  });
