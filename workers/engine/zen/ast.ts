import type { Numeric } from './values/numbers.js';
import type { Bracket } from './values/interval.js';
import type { Span } from './sourceSpan.js';

export type BinaryOperator =
  'or' | 'and' | '??' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | '+' | '-' | '*' | '/' | '%' | '^';

export const arithmetic: ReadonlySet<string> = new Set<BinaryOperator>(['+', '-', '*', '/', '%', '^']);

interface Spanned {
  readonly span: Span;
}

/** A literal. */
interface Literal extends Spanned {
  readonly kind: 'literal';
  readonly value: null | boolean | Numeric | string;
}
/** A name: a key of the data, an assigned variable, a closure's `as x`, `$`, `$nodes`, `$env`. */
interface Identifier extends Spanned {
  readonly kind: 'identifier';
  readonly name: string;
}
/** `$root` */
interface Root extends Spanned {
  readonly kind: 'root';
}
/** `#`, the item of the innermost closure. */
interface Pointer extends Spanned {
  readonly kind: 'pointer';
}
/** `a.b` and `a[b]` */
export interface Member extends Spanned {
  readonly kind: 'member';
  readonly object: Node;
  readonly property: Node;
}
/** `a[from:to]`, both included. */
export interface Slice extends Spanned {
  readonly kind: 'slice';
  readonly object: Node;
  readonly from: Node | null;
  readonly to: Node | null;
}
interface ListNode extends Spanned {
  readonly kind: 'array';
  readonly items: readonly Node[];
}
export interface ObjectNode extends Spanned {
  readonly kind: 'object';
  readonly entries: readonly { readonly key: Node; readonly value: Node }[];
}
export interface Template extends Spanned {
  readonly kind: 'template';
  readonly parts: readonly Node[];
}
export interface IntervalNode extends Spanned {
  readonly kind: 'interval';
  readonly open: Bracket;
  readonly left: Node;
  readonly right: Node;
  readonly close: Bracket;
}
export interface Conditional extends Spanned {
  readonly kind: 'conditional';
  readonly condition: Node;
  readonly whenTrue: Node;
  readonly whenFalse: Node;
}
export interface Unary extends Spanned {
  readonly kind: 'unary';
  readonly operator: 'not' | '-' | '+';
  readonly operand: Node;
}
/** Chains such as `a + b + c` lean to the left and may be thousands long: walk their left side in a loop. */
export interface Binary extends Spanned {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
}
/** Round brackets, kept because a unary cell and a postfix tell `(a)` from `a`. */
interface Group extends Spanned {
  readonly kind: 'group';
  readonly inner: Node;
}
export interface Call extends Spanned {
  readonly kind: 'call';
  readonly name: string;
  readonly nameSpan: Span;
  readonly args: readonly Node[];
}
/** `map(list as x, body)` and its kin. */
export interface ClosureCall extends Spanned {
  readonly kind: 'closure';
  readonly name: ClosureName;
  readonly list: Node;
  readonly alias: string | null;
  readonly body: Node;
}
export interface MethodCall extends Spanned {
  readonly kind: 'method';
  readonly object: Node;
  readonly name: string;
  readonly nameSpan: Span;
  readonly args: readonly Node[];
}
/** `a.b = 1; c = 2; output`; without an output the value is the object of what was assigned. */
export interface Assignments extends Spanned {
  readonly kind: 'assignments';
  readonly list: readonly { readonly path: readonly string[]; readonly value: Node; readonly span: Span }[];
  readonly output: Node | null;
}

export type Node =
  | Literal
  | Identifier
  | Root
  | Pointer
  | Member
  | Slice
  | ListNode
  | ObjectNode
  | Template
  | IntervalNode
  | Conditional
  | Unary
  | Binary
  | Group
  | Call
  | ClosureCall
  | MethodCall
  | Assignments;

export const closureNames = ['all', 'some', 'none', 'one', 'filter', 'map', 'flatMap', 'count'] as const;
export type ClosureName = (typeof closureNames)[number];

/** The node's direct parts, in source order. */
export function parts(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'identifier':
    case 'root':
    case 'pointer':
      return [];
    case 'member':
      return [node.object, node.property];
    case 'slice':
      return [node.object, ...(node.from ? [node.from] : []), ...(node.to ? [node.to] : [])];
    case 'array':
      return node.items;
    case 'object':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'template':
      return node.parts;
    case 'interval':
    case 'binary':
      return [node.left, node.right];
    case 'conditional':
      return [node.condition, node.whenTrue, node.whenFalse];
    case 'unary':
      return [node.operand];
    case 'group':
      return [node.inner];
    case 'call':
      return node.args;
    case 'closure':
      return [node.list, node.body];
    case 'method':
      return [node.object, ...node.args];
    case 'assignments':
      return [...node.list.map((step) => step.value), ...(node.output ? [node.output] : [])];
  }
}

/** Visits every node, parents first, without recursion. */
export function walk(root: Node, visit: (node: Node) => void): void {
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    visit(node);
    open.push(...[...parts(node)].reverse());
  }
}
