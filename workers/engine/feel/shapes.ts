import type { FeelType } from './values/value.js';

/** What the parser knows of values: the names of their members, by which it tells `a b` from `a` beside `b`. */
export interface Shapes {
  /** Names of the language's own functions that have blanks. */
  readonly builtins: readonly string[];
  /** Names of members that some value of the document may have: of values whose type is not known. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

export type Names = Record<string, unknown>;

/** Names are a stranger's: `__proto__` is one like any other here. */
export const noNames = (): Names => Object.setPrototypeOf({}, null) as Names;

/** Item definitions may contain themselves: so many levels of members are known to the parser. */
const maxLevels = 6;

export function shapeOf(type: FeelType, shapes: Shapes, level = 0): unknown {
  if (level > maxLevels) return 1;
  switch (type.kind) {
    case 'any':
      return shapes.unknown;
    case 'list':
      return shapeOf(type.item, shapes, level);
    case 'constrained':
      return shapeOf(type.base, shapes, level);
    case 'named':
      return shapeOf(type.target(), shapes, level + 1);
    case 'function':
      return shapeOf(type.result, shapes, level);
    case 'context': {
      if (type.members.size === 0) return shapes.unknown;
      const members = noNames();
      for (const [name, member] of type.members) members[name] = shapeOf(member, shapes, level + 1);
      return members;
    }
    case 'range':
      return rangeShape;
    default:
      return durationShape;
  }
}

/** Members whose names have blanks. */
const rangeShape = { 'start included': 1, 'end included': 1 };
const durationShape = { 'time offset': 1 };
