import { readFileSync } from 'node:fs';
import type { ProblemCode, ProblemOptions } from '../../errors.js';

/** What people read about a code, on its page and in the OpenAPI document. */
interface Explanation {
  /** When an answer has the code; one paragraph each. */
  readonly when: readonly string[];
  /** What a caller does about it; one step each. */
  readonly todo: readonly string[];
  /** What the example response is made of: real texts. */
  readonly example: ProblemOptions & { readonly instance: string; readonly detail: string };
  /** Codes that are easily confused with this one, or occur with it. */
  readonly related: readonly ProblemCode[];
}

/** The sources' folder, seen from the compiled one. */
const sources = new URL('../../../../src/api/problems/', import.meta.url);

/**
 * Reads `<code>.md`: paragraphs, then the sections of what to do, an example and related codes. For the build alone, which
 * makes pages and the OpenAPI document of it.
 * @throws where the file or one of its sections is not there
 */
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
