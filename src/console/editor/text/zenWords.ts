import { zenFunctions } from '#openapi/language.gen.js';
import type { Word } from './word.js';

const keywords = ['and', 'or', 'not', 'in', 'true', 'false', 'null'];

export const zenWords: readonly Word[] = [
  ...Object.entries(zenFunctions).map(([label, detail]): Word => ({ label, detail, kind: 'function' })),
  ...keywords.map((label): Word => ({ label, detail: '', kind: 'keyword' })),
];
