import { closureFunctions } from './closures.js';
import { dateMethods } from './date-methods.js';
import { dateFunctions } from './date.js';
import type { UnaryUse, ZenFunction } from './define.js';
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

export function unaryUseOfFunction(name: string): UnaryUse {
  return functions.get(name)?.unary ?? closureFunctions.get(name)?.unary ?? 'boolean';
}

export function unaryUseOfMethod(name: string): UnaryUse {
  return methods.get(name)?.unary ?? 'boolean';
}
