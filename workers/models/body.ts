import { checkJson, setKey } from '../json/index.js';
import type { BodyAnswer, BodyTask } from './tasks.js';

/** More fields than any operation has. */
const maxNamedValues = 1000;
/** Characters of a text in an outline: more than any operation takes, so that a longer one is refused for its length. */
const maxOutlineText = 8192;

/** Reads a body for the main thread, which gets no more of it than its schema looks at. */
export function readBody({ text, limits, shape }: BodyTask): BodyAnswer {
  const checked = checkJson(text, limits);
  if (checked.fault !== null) return checked;
  const { value, values, fields, violations } = checked;
  const tooMany = (shape === 'open' ? fields : values) > maxNamedValues;
  const isLeftOut = tooMany || violations.length > 0;
  return { fault: null, tooMany, violations, value: isLeftOut ? null : shape === 'open' ? outlineOf(value) : value };
}

function outlineOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (typeof value !== 'object' || value === null) return emptied(value);
  const outline: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) setKey(outline, name, emptied(member));
  return outline;
}

function emptied(member: unknown): unknown {
  if (typeof member === 'string') return member.slice(0, maxOutlineText);
  if (typeof member !== 'object' || member === null) return member;
  return Array.isArray(member) ? [] : {};
}
