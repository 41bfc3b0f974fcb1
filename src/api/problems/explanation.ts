import { readFileSync } from 'node:fs';
import type { ProblemCode, ProblemOptions } from '../../errors.js';

interface Explanation {
  readonly when: readonly string[];
  readonly todo: readonly string[];
  readonly example: ProblemOptions & { readonly instance: string; readonly detail: string };
  readonly related: readonly ProblemCode[];
}

/** The sources' folder, seen from the compiled one. */
const sources = new URL('../../../../src/api/problems/', import.meta.url);

/** Reads `<code>.md`: paragraphs, then what to do, an example and related codes; for the build alone. */
export function readExplanation(code: ProblemCode): Explanation {
  const file = `${code}.md`;
  const [when = '', ...sections] = readFileSync(new URL(file, sources), 'utf8')
    .replace(`# ${code}\n`, '')
    .split(/^## .+\n/m);
  const [todo, example, related] = sections;
  if (todo === undefined || example === undefined || related === undefined || sections.length > 3) {
    throw new Error(`${file} must have what to do, an example and related codes, and nothing else.`);
  }
  return {
    when: when.trim().split('\n\n').map(onOneLine),
    todo: todo.trim().slice(2).split('\n- ').map(onOneLine),
    example: JSON.parse(example.replaceAll(/^```.*$/gm, '')) as Explanation['example'],
    related: [...related.matchAll(/^- \[(\w+)\]/gm)].map(([, other]) => other as ProblemCode),
  };
}

const onOneLine = (text: string): string => text.replaceAll(/\n\s*/g, ' ');
