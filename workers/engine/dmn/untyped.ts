import { knownOf, normalName, type FeelType, type Kind } from '../feel/index.js';
import type { Part } from './definitions.js';
import { typeRefOf, type TypeNamed } from './items.js';
import { childrenOf, textWithin, type Element } from './element.js';

/** Kinds that a fact has as texts, which are read by their type. */
const temporal: ReadonlySet<Kind> = new Set<Kind>([
  ...(['date', 'time', 'date and time', 'days and time duration', 'years and months duration'] as const),
]);

/**
 * Types of input data that declares none, by its variable: Camunda's modeler writes them at the columns of tables alone. A text would
 * be no date there. Where two columns of an input have other types, or an element that is no input has its name, there is none.
 */
export function typesOfColumns(root: Element, parts: readonly Part[], typeNamed: TypeNamed): Map<string, FeelType> {
  const untyped = new Set(parts.filter(isUntyped).map(({ variable }) => normalName(variable)));
  for (const { kind, variable } of parts) if (kind !== 'input') untyped.delete(normalName(variable));
  const named = new Map<string, Set<string>>();
  const visit = (element: Element): void => {
    for (const column of element.name === 'input' ? childrenOf(element, 'inputExpression') : []) {
      const name = normalName((textWithin(column) ?? '').trim());
      if (untyped.has(name)) named.set(name, (named.get(name) ?? new Set()).add(typeRefOf(column) ?? ''));
    }
    for (const child of element.children) visit(child);
  };
  if (untyped.size > 0) visit(root);
  const types = new Map<string, FeelType>();
  for (const [name, [typeRef = '', ...others]] of named) {
    const type = typeRef === '' || others.length > 0 ? undefined : typeNamed(typeRef);
    const kind = type && knownOf(type)?.kind;
    if (type !== undefined && kind !== undefined && temporal.has(kind)) types.set(name, type);
  }
  return types;
}

/** Whether an element is input data without a type. */
export const isUntyped = ({ kind, typeRef = '' }: Part): boolean => kind === 'input' && typeRef === '';
