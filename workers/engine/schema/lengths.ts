import type { Ajv } from 'ajv';

/**
 * Gives an instance `minLength` and `maxLength` in characters (code points) and makes the run pay for counting them: a
 * schema may ask for it thousands of times.
 * @param pay is called with each text before it is counted
 */
export function setLengths(ajv: Ajv, pay: (text: string) => void): Ajv {
  const set = (keyword: string, words: string, holds: (length: number, limit: number) => boolean): void => {
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      compile(limit: number) {
        const validate: Judge = (text) => {
          pay(text);
          if (holds(lengthOf(text), limit)) return true;
          validate.errors = [{ message: `must NOT have ${words} than ${limit} characters`, params: { limit } }];
          return false;
        };
        return validate;
      },
    });
  };
  set('minLength', 'fewer', (length, limit) => length >= limit);
  set('maxLength', 'more', (length, limit) => length <= limit);
  return ajv;
}

interface Judge {
  (text: string): boolean;
  errors?: { message: string; params: object }[];
}

/** Code points; half a pair counts as one. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) ?? 0;
    if (code <= 0xffff) continue;
    length--;
    index++;
  }
  return length;
}
