import { normalName, Scope, type Fault } from '../feel/index.js';
import type { Definitions, Reference } from './definitions.js';
import { shownType, type Derived, type Node } from './graph.js';
import type { ItemTypes } from './items.js';

/** A document with all of its imports, compiled. */
export interface CompiledModel {
  readonly definitions: Definitions;
  /** By id. */
  readonly nodes: Map<string, Node>;
  readonly types: ItemTypes;
  /** Models of imports, by the import's name. */
  readonly imported: ReadonlyMap<string, CompiledModel>;
}

/** What the compilation of a document gives and is told. */
export interface Compiler {
  nextSlot(): number;
  report(fault: Fault): void;
}

/** The names that an element's expressions see: those of what it requires, which the element is told. */
export function scopeOf(node: Node, model: CompiledModel, compiler: Compiler): Scope {
  const scope = new Scope(null);
  const requires: Node[] = [];
  const groups = new Map<string, { name: string; node: Node }[]>();
  for (const reference of node.part.requires) {
    const required = nodeAt(reference, model, node, compiler);
    if (required === undefined) continue;
    const prefix = reference.namespace === undefined ? '' : importName(reference.namespace, model);
    if (prefix === '') {
      requires.push(required);
      scope.place(required.part.variable, required.slot, shownType(required));
    } else {
      const group = groups.get(prefix) ?? [];
      group.push({ name: required.part.variable, node: required });
      groups.set(prefix, group);
    }
  }
  for (const { part, slot, type } of requires) {
    // Some modelers write another name there than in the variable, which goes first.
    if (scope.resolve(normalName(part.name)).slot === undefined) scope.place(part.name, slot, type);
  }
  // A business knowledge model may call itself.
  if (node.part.kind === 'knowledge') scope.place(node.part.variable, node.slot, shownType(node));
  node.requires = requires;
  node.derived = [...groups].map(([name, members]): Derived => {
    const slot = compiler.nextSlot();
    const types = new Map(members.map((each) => [normalName(each.name), shownType(each.node)] as const));
    scope.place(name, slot, { kind: 'context', members: types });
    return { slot, value: (valueOf) => new Map(members.map((each) => [each.name, valueOf(each.node)] as const)) };
  });
  return scope;
}

/** The element that a reference names; one that there is not is reported. */
export function nodeAt(
  { namespace, id }: Reference,
  model: CompiledModel,
  from: Node,
  compiler: Compiler,
): Node | undefined {
  const owner = namespace === undefined ? model : model.imported.get(importName(namespace, model));
  const found = owner?.nodes.get(id);
  if (found === undefined) {
    const message = `It requires "${namespace ?? ''}#${id}", which is not there.`;
    const hint = 'Let `href` name the id of an element of the document, or of one that it imports.';
    compiler.report({ code: 'unknown_name', message, site: from.site, hint });
  }
  return found;
}

const importName = (namespace: string, { definitions }: CompiledModel): string =>
  definitions.imports.find((each) => each.namespace === namespace)?.name ?? '';
