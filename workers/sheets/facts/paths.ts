import { headingText } from '../../cells/index.js';

/** One step of a path: a field's name, or an index in a list. */
export type Step = string | number;

/** A dot before a space is one of prose, and so are those of what is shortened: `Approx. size`, `Margin p.a.` and `Art.-Nr.` are names. */
const stepPattern = /\.?((?:[^.[\]"]|\.(?=(?:-?\p{L}{1,3}\.)*(?:\s|$)))+)|\[(\d{1,6})\]|\[("(?:[^"\\]|\\.)*")\]/uy;

/** Most steps of a path: no request may nest more deeply. */
const deepestPath = 64;

/** `a.b`, `items[0].c`, `input["a.b"]` as steps; undefined for what is no path. */
export function readPath(text: string): Step[] | undefined {
  const steps: Step[] = [];
  stepPattern.lastIndex = 0;
  while (stepPattern.lastIndex < text.length) {
    const found = stepPattern.exec(text);
    if (found === null || steps.length === deepestPath) return undefined;
    const [, name, index, quoted] = found;
    if (index !== undefined) steps.push(Number(index));
    else if (name !== undefined) steps.push(headingText(name));
    else steps.push(unquoted(quoted));
  }
  return steps.length === 0 ? undefined : steps;
}

function unquoted(text = '""'): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The path of steps; names that would be read otherwise, as those with a line break are, are quoted. */
export const pathText = (steps: readonly Step[]): string =>
  steps
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (step === '' || step !== headingText(step) || /[.[\]"]/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');

/** Most items of a list that a path may name. */
export const longestList = 1000;

/** Sets what stands at a path, making the objects and lists on the way. False where something else stands there already. */
export function setAt(target: Record<string, unknown>, steps: readonly Step[], value: unknown): boolean {
  let at: Record<string, unknown> | unknown[] = target;
  for (const [index, step] of steps.entries()) {
    if (Array.isArray(at) ? typeof step !== 'number' : typeof step === 'number') return false;
    const holder = at as Record<Step, unknown>;
    const isLast = index === steps.length - 1;
    const present = Object.hasOwn(holder, step) ? holder[step] : undefined;
    if (isLast) {
      if (present !== undefined) return false;
      define(holder, step, value);
      return true;
    }
    const next: unknown = present ?? (typeof steps[index + 1] === 'number' ? [] : {});
    if (typeof next !== 'object' || next === null) return false;
    if (present === undefined) define(holder, step, next);
    at = next as Record<string, unknown> | unknown[];
  }
  return false;
}

/** Also of a field that is named `__proto__`. */
const define = (holder: Record<Step, unknown>, step: Step, value: unknown): void =>
  void Object.defineProperty(holder, step, { value, writable: true, enumerable: true, configurable: true });
