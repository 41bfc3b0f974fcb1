import { bare, normalName, type FeelType, type Scope } from '../../engine/feel/index.js';
import { childrenOf } from '../../engine/feel/parse.js';
import type { BoxedContext } from '../../engine/dmn/boxed/context.js';
import type { SyntaxNode } from '@lezer/common';

/** What a table's input reads: a name of its scope, and members of that. */
export interface ReadField {
  readonly path: readonly string[];
  readonly type: FeelType;
}

/** Undefined where the input is anything else than a name and members. */
export function fieldRead(source: string, { scope, unit }: BoxedContext): ReadField | undefined {
  const text = source.trim();
  const whole = named(text, scope);
  if (whole !== undefined) return whole;
  const [tree] = childrenOf(unit.parser.parse(text, 'Expression', scope).topNode);
  return tree && fieldIn(tree, text, scope);
}

export function fieldIn(node: SyntaxNode, source: string, scope: Scope): ReadField | undefined {
  const textOf = ({ from, to }: SyntaxNode): string => source.slice(from, to);
  if (node.name === 'VariableName') return named(textOf(node), scope);
  if (node.name !== 'PathExpression') return undefined;
  const [object, , name] = childrenOf(node);
  const outer = object && fieldIn(object, source, scope);
  const type = outer && bare(outer.type);
  if (outer === undefined || name === undefined || type?.kind !== 'context') return undefined;
  const wanted = normalName(textOf(name).replace(/\s+/g, ' '));
  const member = [...type.members].find(([key]) => normalName(key) === wanted);
  return member && { path: [...outer.path, member[0]], type: member[1] };
}

function named(text: string, scope: Scope): ReadField | undefined {
  const name = normalName(text.replace(/\s+/g, ' '));
  const { slot, shadows } = scope.resolve(name);
  return slot === undefined || shadows.length > 0 ? undefined : { path: [name], type: slot.type };
}

/** The path as FEEL writes it. */
export const fieldName = (path: readonly string[]): string => path.join('.');
