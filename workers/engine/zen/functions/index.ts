import { closureFunctions } from './closures.js';
import { dateMethods } from './date-methods.js';
import { dateFunctions } from './date.js';
import { unaryUseOf, type UnaryUse, type ZenFunction } from './define.js';
import { fuzzyFunctions } from './fuzzy.js';
import { listFunctions } from './lists.js';
import { mathFunctions } from './math.js';
import { regexFunctions } from './regex.js';
import { secondsFunctions } from './seconds.js';
import { textFunctions } from './text.js';
import { typeFunctions } from './types.js';

export type { UnaryUse, ZenFunction } from './define.js';

/** Every function by name. */
export const functions: ReadonlyMap<string, ZenFunction> = new Map(
  [
    ...textFunctions,
    ...regexFunctions,
    ...fuzzyFunctions,
    ...mathFunctions,
    ...typeFunctions,
    ...listFunctions,
    ...dateFunctions,
    ...secondsFunctions,
  ].map((definition) => [definition.name, definition]),
);

/** Every method by name; their first parameter is what stands before the dot. */
export const methods: ReadonlyMap<string, ZenFunction> = new Map(
  dateMethods.map((definition) => [definition.name, definition]),
);

export const unaryUseOfFunction = (name: string): UnaryUse =>
  unaryUseOf(functions.get(name) ?? closureFunctions.get(name));

export const unaryUseOfMethod = (name: string): UnaryUse => unaryUseOf(methods.get(name));
