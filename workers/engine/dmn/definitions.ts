import { childOf, childrenOf, type Element } from './element.js';
import { namespaces, readXml } from './xml.js';

/** A reference to an element: in this document, or in the one of a namespace. */
export interface Reference {
  readonly namespace: string | undefined;
  readonly id: string;
}

export interface Import {
  /** Its id, else its path. */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly locationURI: string | undefined;
  readonly element: Element;
}

/** An element of the requirements graph. */
export interface Part {
  readonly kind: 'input' | 'decision' | 'knowledge' | 'service';
  readonly id: string;
  readonly name: string;
  /** Of its variable: what others call it, and its type. */
  readonly variable: string;
  readonly typeRef: string | undefined;
  readonly element: Element;
  readonly requires: readonly Reference[];
}

/** A document, read but not compiled. */
export interface Definitions {
  readonly version: string;
  readonly name: string;
  readonly namespace: string;
  readonly imports: readonly Import[];
  readonly items: readonly Element[];
  readonly parts: readonly Part[];
  readonly root: Element;
  /** By prefix: declarations such as `xmlns:feel`, of whichever element. */
  readonly prefixes: ReadonlyMap<string, string>;
}

const kinds: ReadonlyMap<string, Part['kind']> = new Map(
  Object.entries({
    inputData: 'input',
    decision: 'decision',
    businessKnowledgeModel: 'knowledge',
    decisionService: 'service',
  }),
);

const requirements = ['informationRequirement', 'knowledgeRequirement'];
const required = ['requiredInput', 'requiredDecision', 'requiredKnowledge'];

/** @throws EngineError `model_invalid` */
export function readDefinitions(xml: string): Definitions {
  const root = readXml(xml);
  const { namespace = '', name = '' } = root.attributes;
  // Of a prefix that two elements declare, the first is meant, which is the root's.
  const declared = [...xml.matchAll(declaration)].map(([, prefix = '', uri = '']) => [prefix, uri] as const);
  const documents = childrenOf(root, 'import').filter((element) => foreignImport(element) === undefined);
  const imports = documents.map((element) => ({
    id: element.attributes['id'] ?? element.pointer,
    name: element.attributes['name'] ?? '',
    namespace: element.attributes['namespace'] ?? '',
    locationURI: element.attributes['locationURI'],
    element,
  }));
  return {
    version: versionOf(xml),
    name,
    namespace,
    imports,
    items: childrenOf(root, 'itemDefinition'),
    parts: root.children.flatMap((element) => partOf(element, namespace) ?? []),
    root,
    prefixes: new Map(declared.toReversed()),
  };
}

/** What else than DMN an import brings into a document; undefined for DMN. */
export function foreignImport({ attributes: { importType = '' } }: Element): string | undefined {
  if (importType.includes('/PMML')) return 'PMML';
  return importType.startsWith('http://www.w3.org/') ? 'XML Schema or WSDL' : undefined;
}

const declaration = /\sxmlns:([^\s=]+)\s*=\s*["']([^"'<]*)["']/g;

/** Whether a language, or a prefix of types, is FEEL, or S-FEEL, which is a part of it: by its name or by one of its addresses. */
export const isFeel = (language: string): boolean => /(?:^|\/)(?:S-)?FEEL(?:\/|$)/i.test(language);

const versionOf = (xml: string): string => [...namespaces].find(([uri]) => xml.includes(uri))?.[1] ?? '';

function partOf(element: Element, namespace: string): Part | undefined {
  const kind = kinds.get(element.name);
  if (kind === undefined) return undefined;
  const { name = '', id = '' } = element.attributes;
  const variable = childOf(element, 'variable')?.attributes ?? {};
  return {
    kind,
    id: id === '' ? element.pointer : id,
    name,
    variable: variable['name'] ?? name,
    typeRef: variable['typeRef'] ?? element.attributes['typeRef'],
    element,
    requires: element.children
      .filter((child) => requirements.includes(child.name))
      .flatMap(({ children }) => children)
      .filter((child) => required.includes(child.name))
      .map((child) => referenceOf(child, namespace)),
  };
}

/** The element that an `href` names. */
export function referenceOf({ attributes: { href = '' } }: Element, namespace: string): Reference {
  const mark = href.indexOf('#');
  const before = mark === -1 ? '' : href.slice(0, mark);
  return { namespace: before === '' || before === namespace ? undefined : before, id: href.slice(mark + 1) };
}

/** What runs may reach: elements that have logic, and of those that are tables the rules, as traces name them. */
export function reachableIn({ parts }: Definitions): { readonly id: string; readonly rules: readonly string[] }[] {
  return parts
    .filter(({ kind }) => kind !== 'input')
    .map(({ id, element }) => {
      const logic = element.name === 'businessKnowledgeModel' ? childOf(element, 'encapsulatedLogic') : element;
      const table = logic && childOf(logic, 'decisionTable');
      return { id, rules: table === undefined ? [] : childrenOf(table, 'rule').map(ruleId) };
    });
}

const ruleId = ({ attributes: { id }, pointer }: Element): string => id ?? pointer;
