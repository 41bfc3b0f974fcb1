import type { Diagnostic } from '../errors.js';
import { normalName } from '../feel/index.js';
import type { Definitions, Part } from './definitions.js';
import { childOf, type Element } from './element.js';

/** Elements that have names of their own among those beside them. */
interface Named {
  /** A noun. */
  readonly what: string;
  readonly nameOf: (element: Element) => string | undefined;
  /** What becomes of two that have the same one. */
  readonly then: (name: string) => string;
}

const ofItself = ({ attributes }: Element): string | undefined => attributes['name'];
const of =
  (child: string) =>
  (element: Element): string | undefined =>
    childOf(element, child)?.attributes['name'];
const isFoundAlone = (): string => 'that name finds one of them alone.';
const counts = (what: string) => (): string => `${what} the value of this one alone.`;

const named: ReadonlyMap<string, Named> = new Map(
  Object.entries({
    inputData: {
      what: 'input',
      nameOf: ofItself,
      then: (name) => `both are given the one "${name}" that a fact has.`,
    },
    decision: { what: 'decision', nameOf: ofItself, then: counts('results have') },
    businessKnowledgeModel: { what: 'business knowledge model', nameOf: ofItself, then: isFoundAlone },
    decisionService: { what: 'decision service', nameOf: ofItself, then: isFoundAlone },
    itemDefinition: { what: 'item definition', nameOf: ofItself, then: () => 'the type of that name is this one.' },
    itemComponent: { what: 'component', nameOf: ofItself, then: () => 'the type of that member is this one.' },
    contextEntry: { what: 'entry', nameOf: of('variable'), then: counts('the context has') },
    formalParameter: { what: 'parameter', nameOf: ofItself, then: counts('the body finds') },
    column: { what: 'column', nameOf: ofItself, then: counts('rows have') },
    output: { what: 'output', nameOf: ofItself, then: counts('results have') },
    binding: { what: 'binding', nameOf: of('parameter'), then: counts('the call is given') },
  }),
);

const hint = 'Give each its own in your modeler.';

/** A warning of an element, under the id and the name of the child of the document that it is in. */
export function warningAt(message: string, { pointer }: Element, owner: Element, hint: string): Diagnostic {
  const { id = '', name = '' } = owner.attributes;
  const place = { nodeId: id === '' ? owner.pointer : id, nodeName: name, pointer };
  return { severity: 'warning', code: 'model_invalid', message, ...place, hint };
}

/** Warnings of elements with one id, and of those of a kind with one name. No modeler makes such a document by itself. */
export function whatStandsTwice({ parts, root }: Definitions): Diagnostic[] {
  const found: Diagnostic[] = [];
  const tell = (message: string, element: Element, owner: Element): void => {
    found.push(warningAt(message, element, owner, hint));
  };
  const ids = new Map<string, Part>();
  for (const part of parts) {
    const earlier = ids.get(part.id);
    const message = `The id "${part.id}" stands twice: what refers to it finds this element, and not "${earlier?.name}".`;
    if (earlier !== undefined) tell(message, part.element, part.element);
    ids.set(part.id, part);
  }
  // `owner` is the child of the document that an element is in.
  const visit = (element: Element, owner?: Element): void => {
    const names = new Set<string>();
    for (const child of element.children) {
      visit(child, owner ?? child);
      const kind = named.get(child.name);
      const name = kind?.nameOf(child) ?? '';
      if (kind === undefined || name === '') continue;
      const key = `${child.name} ${normalName(name)}`;
      const message = `Another ${kind.what} before it is called "${name}", too: ${kind.then(name)}`;
      if (names.has(key)) tell(message, child, owner ?? child);
      names.add(key);
    }
  };
  visit(root);
  return found;
}
