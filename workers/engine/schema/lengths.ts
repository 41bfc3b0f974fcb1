import type { Checked, Keyword } from './keywords.js';

/**
 * `minLength` and `maxLength` in characters (code points). The run pays for counting them: a schema may ask for it
 * thousands of times.
 */
export function lengths({ payText }: Pick<Checked, 'payText'>): Keyword[] {
  const keyword = (name: string, words: string, holds: (length: number, limit: number) => boolean): Keyword => ({
    keyword: name,
    type: 'string',
    schemaType: 'number',
    check: (under) => {
      const limit = Number(under);
      const violation = { message: `must NOT have ${words} than ${limit} characters`, params: { limit } };
      return (text) => {
        if (typeof text !== 'string') return true;
        payText(text);
        return holds(lengthOf(text), limit) || violation;
      };
    },
  });
  return [
    keyword('minLength', 'fewer', (length, limit) => length >= limit),
    keyword('maxLength', 'more', (length, limit) => length <= limit),
  ];
}

/** Code points; half a pair counts as one. */
const lengthOf = (text: string): number => text.length - (text.match(pairs)?.length ?? 0);
const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;
