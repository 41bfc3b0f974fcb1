import { type Diagnostic, EngineError } from '../errors.js';
import {
  anyType,
  builtins,
  FeelParser,
  labelOf,
  noNames,
  normalName,
  type Fault,
  type Place,
  type Unit,
} from '../feel/index.js';
import { Footprint } from '../footprint.js';
import { defaultLimits, type Limits } from '../limits.js';
import { BoxedContext } from './boxed/context.js';
import type { CompiledTable } from './boxed/decisionTable.js';
import { compileBoxed } from './boxed/index.js';
import { expressionIn, functionOf } from './boxed/simple.js';
import { camundaNames, isCamundas } from './camunda.js';
import { inCircles } from './circles.js';
import { readDefinitions, referenceOf, type Definitions, type Import, type Part } from './definitions.js';
import { serviceCode, watchedFunction, type Node } from './graph.js';
import { ItemTypes, typesHint } from './items.js';
import { whatIsMisplaced } from './misplaced.js';
import { nodeAt, scopeOf, type CompiledModel } from './requirements.js';
import { whatStandsTwice } from './twice.js';
import { isUntyped, typesOfColumns } from './untyped.js';
import { childOf, childrenOf, type Element } from './element.js';

export interface DmnCompileOptions {
  /** The document that an import names; undefined where there is none. */
  readonly imports?: ImportedDocument['imports'] | undefined;
  readonly limits?: Limits | undefined;
  /** Milliseconds for the expressions of a document and its imports; ten seconds at most. */
  readonly timeLimitMs?: number;
  /** Counts the memory that the program keeps; a new one by default. */
  readonly footprint?: Footprint | undefined;
  /** Is told of each decision table of the document itself, with the element that it belongs to. */
  readonly onTable?: ((table: CompiledTable, node: Node) => void) | undefined;
}

/** A document that another one imports, and the documents that it imports itself. */
export interface ImportedDocument {
  readonly xml: string;
  readonly imports: (wanted: Pick<Import, 'name' | 'namespace' | 'locationURI'>) => ImportedDocument | undefined;
}

/** Estimated bytes of an element, for each character of the document. */
const bytesPerUnit = 4;
/** Steps of what is tried while a document is compiled: calls of literals, and allowed values. */
const mostSteps = 1_000_000;
/** Most milliseconds of reading the expressions of a document and its imports. */
const longestParsing = 10_000;
/** Letters that are compared to find which names are meant: those of thousands of unknown names, before none is guessed any more. */
const mostLetters = 20_000_000;

/** Compiles documents that belong together: they share one frame of values. */
export class Compilation {
  /** As for JDM; the pointer is a path of elements. */
  readonly diagnostics: Diagnostic[] = [];
  readonly documents: Definitions[] = [];
  readonly #models = new Map<string, CompiledModel>();
  readonly timeLimitMs: number;
  readonly #deadline: number;
  readonly #guesses = { letters: mostLetters };
  readonly limits: Limits;
  readonly footprint: Footprint;
  readonly #onTable: DmnCompileOptions['onTable'];
  #slots = 0;
  #lacksImport = false;

  constructor(options: DmnCompileOptions) {
    this.limits = options.limits ?? defaultLimits;
    this.footprint = options.footprint ?? new Footprint();
    this.#onTable = options.onTable;
    this.timeLimitMs = Math.min(longestParsing, options.timeLimitMs ?? longestParsing);
    this.#deadline = performance.now() + this.timeLimitMs;
  }

  get isLate(): boolean {
    return performance.now() > this.#deadline;
  }

  /** @throws EngineError `model_invalid`, `limit_program` */
  compile(
    { xml, imports }: Pick<ImportedDocument, 'xml'> & Pick<DmnCompileOptions, 'imports'>,
    above: readonly Importing[] = [],
  ): CompiledModel {
    this.footprint.add(xml.length * bytesPerUnit);
    const definitions = readDefinitions(xml);
    this.documents.push(definitions);
    const imported = this.#imports(definitions, imports, [...above, { xml, name: definitions.name }]);
    const types = new ItemTypes(definitions, new Map([...imported].map(([name, model]) => [name, model.types])));
    const unit = this.#unit(definitions, types);
    types.compile(unit);
    const nodes = new Map<string, Node>();
    for (const part of definitions.parts) nodes.set(part.id, this.#node(part, types));
    const ofColumns = typesOfColumns(definitions.root, definitions.parts, (name) => types.ofAttribute(name));
    for (const node of nodes.values())
      if (isUntyped(node.part)) node.type = ofColumns.get(normalName(node.part.variable)) ?? anyType;
    this.diagnostics.push(...whatStandsTwice(definitions), ...whatIsMisplaced(definitions));
    const model = { definitions, nodes, types, imported };
    for (const node of nodes.values())
      this.#compileNode(node, model, unit, above.length === 0 ? this.#onTable : undefined);
    unit.parser.close();
    for (const node of inCircles(nodes.values())) {
      const hint = 'Remove one of the requirements on the way round: it finds null in its own place.';
      this.report({ code: 'type_error', message: 'The decision requires itself.', site: node.site, hint });
    }
    return model;
  }

  nextSlot(): number {
    return this.#slots++;
  }

  report({ code, message, site, ...advice }: Fault): void {
    // What is unknown may be in the document that is not there.
    if (code === 'unknown_name' && this.#lacksImport) return;
    const { nodeId, node, pointer, source } = site.place;
    this.diagnostics.push({
      code: code === 'unknown_name' ? 'syntax_error' : code,
      message,
      nodeId,
      nodeName: node,
      label: labelOf(pointer),
      pointer,
      source,
      span: [site.from, site.to],
      ...advice,
    });
  }

  #imports(
    { imports }: Definitions,
    find: ImportedDocument['imports'] | undefined,
    above: readonly Importing[],
  ): Map<string, CompiledModel> {
    const found = new Map<string, CompiledModel>();
    for (const each of imports) {
      const { name, namespace, element } = each;
      const known = this.#models.get(namespace);
      if (known !== undefined) {
        found.set(name, known);
        continue;
      }
      const document = find?.(each);
      if (document === undefined) {
        this.#lacksImport = true;
        this.diagnostics.push({
          code: 'decision_missing',
          message: `There is no document of the import "${name}" (${namespace}).`,
          hint: 'Bring that document in, too, at the place that `locationURI` names or with that namespace.',
          nodeId: each.id,
          nodeName: name,
          pointer: element.pointer,
        });
        continue;
      }
      checkImport(document.xml, above);
      const model = this.compile(document, above);
      this.#models.set(namespace, model);
      found.set(name, model);
    }
    return found;
  }

  #unit(definitions: Definitions, types: ItemTypes): Unit {
    const unknown = namesOf(definitions.root);
    return {
      limits: this.limits,
      footprint: this.footprint,
      parser: new FeelParser({ builtins: spacedBuiltins, unknown }, this.#deadline),
      builtins,
      typeNamed: (name) => types.named(name),
      report: (fault) => this.report(fault),
      dry: { limits: this.limits, steps: mostSteps, deadline: this.#deadline, now: () => 0, random: () => 0 },
      guesses: this.#guesses,
    };
  }

  #node(part: Part, types: ItemTypes): Node {
    const place: Place = { nodeId: part.id, node: part.name, pointer: part.element.pointer, source: '' };
    const site = { place, from: 0, to: 0 };
    const type = part.typeRef === undefined || part.typeRef === '' ? undefined : types.ofAttribute(part.typeRef);
    if (type === undefined && part.typeRef !== undefined && part.typeRef !== '') {
      this.report({ code: 'unknown_name', message: `There is no type "${part.typeRef}".`, site, hint: typesHint });
    }
    return {
      part,
      slot: this.nextSlot(),
      type: type ?? anyType,
      site,
      requires: [],
      derived: [],
      code: () => null,
    };
  }

  #compileNode(node: Node, model: CompiledModel, unit: Unit, onTable: DmnCompileOptions['onTable']): void {
    const { part } = node;
    if (part.kind === 'input') return;
    const scope = scopeOf(node, model, this);
    const isOfCamunda = isCamundas(model.definitions);
    if (isOfCamunda) scope.undeclared = camundaNames(node, model, scope, this);
    const owner = {
      id: part.id,
      name: part.name,
      language: model.definitions.root.attributes['expressionLanguage'] ?? '',
      // What tables tell is what they are compiled to.
      onTable: onTable && ((table: unknown) => onTable(table as CompiledTable, node)),
      // That of a business knowledge model may be of a function.
      type: part.kind === 'decision' ? node.type : anyType,
      typeNamed: (name: string) => model.types.ofAttribute(name),
      cellName: isOfCamunda ? 'cellInput' : undefined,
      dispatch: compileBoxed,
    };
    const context = new BoxedContext(unit, owner, scope, true);
    const within = (element: Element, name: string): Node[] =>
      childrenOf(element, name).flatMap(
        (each) => nodeAt(referenceOf(each, model.definitions.namespace), model, node, this) ?? [],
      );
    if (part.kind === 'decision') {
      const expression = expressionIn(part.element);
      if (expression !== undefined) node.code = compileBoxed(expression, context);
    } else if (part.kind === 'knowledge') {
      const logic = childOf(part.element, 'encapsulatedLogic');
      const make = logic === undefined ? undefined : functionOf(logic, context, part.name);
      if (make !== undefined) node.code = watchedFunction(node, make);
    } else {
      const inputs = [...within(part.element, 'inputData'), ...within(part.element, 'inputDecision')];
      node.code = serviceCode(node, { inputs, outputs: within(part.element, 'outputDecision') });
    }
  }
}

/** Names that have blanks or marks and that values of the document may have as members. */
function namesOf(root: Element): Record<string, unknown> {
  const names = noNames();
  const visit = (element: Element): void => {
    const { name } = element.attributes;
    if (name !== undefined && /[^\p{L}\p{N}_]/u.test(name)) names[normalName(name)] = 1;
    for (const child of element.children) visit(child);
  };
  visit(root);
  return names;
}

const spacedBuiltins = [...builtins.keys()].filter((name) => name.includes(' '));

/** Documents within documents. */
const deepestImport = 20;

/** A document whose imports are being compiled. */
interface Importing {
  readonly xml: string;
  readonly name: string;
}

/**
 * @param above the documents on the way to one
 * @throws EngineError `model_invalid` where it is one of them itself, or they are too many
 */
function checkImport(xml: string, above: readonly Importing[]): void {
  const first = above.findIndex((each) => each.xml === xml);
  const circle = first === -1 ? [] : above.slice(first).map(({ name }) => JSON.stringify(name));
  const [name = ''] = circle;
  if (circle.length === 1) throw new EngineError('model_invalid', `The document ${name} imports itself.`);
  if (circle.length > 1)
    throw new EngineError(
      'model_invalid',
      `Documents import one another in a circle: ${[...circle, name].join(' → ')}.`,
    );
  if (above.length > deepestImport) throw new EngineError('model_invalid', 'Documents import one another too deep.');
}
