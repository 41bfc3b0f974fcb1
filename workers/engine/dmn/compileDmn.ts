import type { FeelType } from '../feel/index.js';
import { EngineError, type Diagnostic } from '../errors.js';
import { Compilation, type DmnCompileOptions } from './compile.js';
import type { CompiledModel } from './requirements.js';
import type { Import } from './definitions.js';
import { referenceOf } from './definitions.js';
import type { Node } from './graph.js';
import { DmnProgram } from './program.js';
import { childrenOf, release } from './element.js';

/** A member of the fact, a decision or a service. */
export interface Described {
  readonly id: string;
  readonly name: string;
  readonly type: TypeDescription;
}

/** A type, as far as forms and schemas need it. */
export interface TypeDescription {
  readonly kind: Exclude<FeelType['kind'], 'named' | 'constrained'>;
  /** Name of the item definition. */
  readonly name?: string;
  /** Allowed values, or the type constraint, as written. */
  readonly allowed?: string;
  readonly item?: TypeDescription;
  readonly members?: Readonly<Record<string, TypeDescription>>;
}

export interface CompiledDmn {
  readonly program: DmnProgram;
  readonly diagnostics: readonly Diagnostic[];
  readonly name: string;
  readonly namespace: string;
  /** Of DMN: `1.5`. */
  readonly version: string;
  readonly imports: readonly Pick<Import, 'name' | 'namespace' | 'locationURI'>[];
  readonly inputs: readonly Described[];
  readonly decisions: readonly Described[];
  /** With the names of their parameters. */
  readonly services: readonly (Described & { readonly parameters: readonly Described[] })[];
}

/**
 * Compiles a document. Expressions with faults are null when they are reached, and are told in `diagnostics`.
 * @throws EngineError `model_invalid` for what is no document of DMN, `limit_program` for one that is too large
 */
export function compileDmn(xml: string, options: DmnCompileOptions = {}): CompiledDmn {
  const compilation = new Compilation(options);
  const model = compilation.compile({ xml, imports: options.imports });
  const { definitions } = model;
  const own = [...model.nodes.values()];
  const of = (kind: Node['part']['kind']): Node[] => own.filter(({ part }) => part.kind === kind);
  const services = of('service').map((node) => ({ node, inputs: serviceInputs(node, model) }));
  const decisions = of('decision');
  const inputs = allInputs(model);
  const described = describer();
  const program = new DmnProgram({
    inputs,
    decisions,
    services,
    tops: topsOf(decisions),
    limits: compilation.limits,
    footprint: compilation.footprint,
  });
  for (const each of compilation.documents) release(each.root);
  return {
    program,
    diagnostics: compilation.diagnostics,
    name: definitions.name,
    namespace: definitions.namespace,
    version: definitions.version,
    imports: definitions.imports.map(({ name, namespace, locationURI }) => ({ name, namespace, locationURI })),
    inputs: inputs.map(described),
    decisions: decisions.map(described),
    services: services.map(({ node, inputs: parameters }) => ({
      ...described(node),
      parameters: parameters.map(described),
    })),
  };
}

/**
 * The faults of a document; where the time limit ended the search for them, those that were found, and the limit.
 * @throws EngineError as `compileDmn` does, but for that limit
 */
export function faultsOfDmn(
  xml: string,
  options: Pick<DmnCompileOptions, 'limits' | 'timeLimitMs'>,
): { readonly diagnostics: readonly Diagnostic[]; readonly stoppedAfterMs?: number } {
  const compilation = new Compilation(options);
  const { diagnostics, timeLimitMs } = compilation;
  try {
    compilation.compile({ xml });
    return { diagnostics };
  } catch (error) {
    if (error instanceof EngineError && error.code === 'limit_program' && compilation.isLate)
      return { diagnostics, stoppedAfterMs: timeLimitMs };
    throw error;
  } finally {
    for (const each of compilation.documents) release(each.root);
  }
}

/** Levels of a type that are described: item definitions may contain themselves. */
const deepest = 8;
/** Parts of the types of one document that are described: of item definitions that contain one another there may be billions. */
const mostParts = 20_000;

/** Describes the elements of one document; what is too deep, or one part too many, counts as any value. */
function describer(): (node: Node) => Described {
  let left = mostParts;
  const typeDescription = (type: FeelType, level = 0): TypeDescription => {
    if (level > deepest || --left < 0) return { kind: 'any' };
    if (type.kind === 'named') return { ...typeDescription(type.target(), level + 1), name: type.name };
    if (type.kind === 'constrained') return { ...typeDescription(type.base, level), allowed: type.text };
    if (type.kind === 'list' || type.kind === 'range')
      return { kind: type.kind, item: typeDescription(type.item, level + 1) };
    if (type.kind !== 'context') return { kind: type.kind };
    const members = [...type.members].map(([name, member]) => [name, typeDescription(member, level + 1)] as const);
    return { kind: 'context', members: Object.fromEntries(members) };
  };
  return ({ part, type }) => ({ id: part.id, name: part.name, type: typeDescription(type) });
}

/** The input data of the document and of all that it imports; of a name that two have, the nearer one. */
function allInputs(model: CompiledModel, seen = new Set<CompiledModel>()): Node[] {
  if (seen.has(model)) return [];
  seen.add(model);
  const own = [...model.nodes.values()].filter(({ part }) => part.kind === 'input');
  return [...own, ...[...model.imported.values()].flatMap((each) => allInputs(each, seen))];
}

function serviceInputs({ part }: Node, model: CompiledModel): Node[] {
  const references = [...childrenOf(part.element, 'inputData'), ...childrenOf(part.element, 'inputDecision')];
  return references.flatMap((element) => model.nodes.get(referenceOf(element, model.definitions.namespace).id) ?? []);
}

/** The decisions that no other decision requires. */
function topsOf(decisions: readonly Node[]): Node[] {
  const required = new Set(decisions.flatMap(({ requires }) => requires));
  return decisions.filter((each) => !required.has(each));
}
