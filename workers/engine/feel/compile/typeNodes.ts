import type { SyntaxNode } from '@lezer/common';
import { anyType, type FeelType } from '../values/value.js';
import { childrenOf } from '../parse.js';
import { builtinType, isOf } from '../types.js';
import type { Context, NodeCompiler } from './context.js';
import { writtenName } from './structures.js';

/** The type that a node names; undefined where there is none of that name. */
export function typeOf(node: SyntaxNode, context: Context): FeelType | undefined {
  const children = childrenOf(node);
  const inner = children.filter(({ name }) => name === 'Type').map((each) => typeOf(each, context));
  switch (node.name) {
    case 'Type':
      return children[0] && typeOf(children[0], context);
    case 'ListType': {
      // The grammar knows no ranges: they are read as lists (`readable`).
      const kind = context.text(node).startsWith('range') ? 'range' : 'list';
      return inner[0] && { kind, item: inner[0] };
    }
    case 'ContextType':
      return contextType(node, context);
    case 'FunctionType': {
      const args = children.find(({ name }) => name === 'ArgumentTypes');
      const types =
        args === undefined ? [] : childrenOf(args).map((each) => typeOf(childrenOf(each)[0] ?? each, context));
      const result = inner.at(-1);
      if (result === undefined || types.includes(undefined)) return undefined;
      return { kind: 'function', parameters: types.map((type) => type ?? anyType), result };
    }
    default: {
      const name = writtenName(context.text(node)).replace(/\s*\.\s*/g, '.');
      return context.unit.typeNamed(name) ?? builtinType(name);
    }
  }
}

function contextType(node: SyntaxNode, context: Context): FeelType | undefined {
  const members = new Map<string, FeelType>();
  const entries = childrenOf(node).find(({ name }) => name === 'ContextEntryTypes');
  for (const entry of entries === undefined ? [] : childrenOf(entries)) {
    const [name, type] = childrenOf(entry);
    const read = type && typeOf(type, context);
    if (name === undefined || read === undefined) return undefined;
    members.set(writtenName(context.text(name)), read);
  }
  return { kind: 'context', members };
}

const typesOfFeel =
  'Name a type that the document defines, or one of FEEL: number, string, boolean, date, list<number>, …';

export const instanceOf: NodeCompiler = (node, context) => {
  const children = childrenOf(node);
  const [first] = children;
  const typeNode = children.find(({ name }) => name === 'Type');
  if (first === undefined || typeNode === undefined) return context.fault(node, '`instance of` takes a type.');
  const value = context.compile(first);
  const type = typeOf(typeNode, context);
  if (type === undefined)
    return context.fault(typeNode, `There is no type "${context.text(typeNode)}".`, 'unknown_name', typesOfFeel);
  return (frame) => {
    const tested = value(frame);
    return tested === null ? type.kind === 'null' : isOf(tested, type, frame.run, 'structure');
  };
};
