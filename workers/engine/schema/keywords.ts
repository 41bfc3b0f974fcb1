import type { Ajv, ErrorObject, FuncKeywordDefinition } from 'ajv';
import type { Value } from '../values.js';

/** What is wrong with a value, in Ajv's form. */
export type Violation = Pick<ErrorObject, 'message' | 'params'>;

/** A keyword of JSON Schema by the engine's own rules, in place of Ajv's. */
export interface Keyword extends Pick<FuncKeywordDefinition, 'type' | 'schemaType'> {
  readonly keyword: string;
  /** Makes the check of a part of the value from what stands under the keyword. */
  readonly check: (under: Value) => (value: Value, pointer: string) => true | Violation;
}

/** What checks have in common with the run whose value is being checked. */
export interface Checked {
  /** Takes steps off the run. */
  readonly pay: (steps: number) => void;
  /** Takes the steps of reading a text off the run. */
  readonly payText: (text: string) => void;
  /** Is told the JSON Pointer of each text that is a date, as some part of the schema says. */
  readonly foundDate: (pointer: string) => void;
  /** The part of the value with all digits of its numbers. @param json as Ajv sees it */
  readonly exact: (json: Value, pointer: string) => Value;
}

export function setKeywords(ajv: Ajv, keywords: readonly Keyword[], { exact }: Pick<Checked, 'exact'>): Ajv {
  for (const { check, keyword, ...definition } of keywords) {
    const compile: FuncKeywordDefinition['compile'] = (under: Value) => {
      const holds = check(under);
      const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (json: Value, context) => {
        const pointer = context?.instancePath ?? '';
        const found = holds(exact(json, pointer), pointer);
        if (found === true) return true;
        // Ajv adds to the error objects, so that each failure needs new ones.
        validate.errors = [{ ...found }];
        return false;
      };
      return validate;
    };
    ajv.removeKeyword(keyword).addKeyword({ ...definition, keyword, compile });
  }
  return ajv;
}
