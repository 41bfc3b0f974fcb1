import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { LanguageSupport, LRLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { parser } from '@gorules/lezer-zen';

const zen = LRLanguage.define({
  name: 'zen',
  parser,
  languageData: { closeBrackets: { brackets: ['(', '[', '{', "'", '"'] } },
});

/** What stands in a model's texts. */
export const languages = {
  zen: () => new LanguageSupport(zen),
  json: () => json(),
  javascript: () => javascript(),
  words: () => [],
} as const satisfies Readonly<Record<string, () => Extension>>;

export type Language = keyof typeof languages;
