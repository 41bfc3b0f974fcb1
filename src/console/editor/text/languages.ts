import { json } from '@codemirror/lang-json';
import { LanguageSupport, LRLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { parser } from '@gorules/lezer-zen';
import { loadPart } from '../../parts/loadPart.js';

const zen = LRLanguage.define({
  name: 'zen',
  parser,
  languageData: { closeBrackets: { brackets: ['(', '[', '{', "'", '"'] } },
});

/** What stands in a model's texts. */
export const languages = {
  zen: () => new LanguageSupport(zen),
  json: () => json(),
  // Its grammar is a tenth of the desk, for the one kind of node that has functions.
  javascript: async () => (await loadPart(import('@codemirror/lang-javascript'))).javascript(),
  words: () => [],
} as const satisfies Readonly<Record<string, () => Extension | Promise<Extension>>>;

export type Language = keyof typeof languages;
