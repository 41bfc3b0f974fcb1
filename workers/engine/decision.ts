// What the rest of the house does with a decision's content, whichever of the two kinds of model it holds: JDM, which is the
// content itself, or DMN, whose document is the content's `xml`.
import { EngineError, tried, type Diagnostic } from './errors.js';
import type { DmnCompileOptions, ImportedDocument } from './dmn/compile.js';
import { compileDmn, faultsOfDmn, type CompiledDmn } from './dmn/compileDmn.js';
import { readDefinitions, type Import } from './dmn/definitions.js';
import { DmnProgram, type UnknownSelection } from './dmn/program.js';
import { dmnSchemas } from './dmn/schemas.js';
import { compile as compileJdm, type CompileOptions as JdmOptions } from './jdm/compile.js';
import type { Program } from './jdm/program.js';
import { aboutJdm } from './jdm/about.js';
import type { SubSchemas } from './jdm/reads.js';
import { schemasOf as jdmSchemas, type ModelSchemas, type ReadSubSchemas } from './jdm/schemas.js';
import {
  stoppedAt,
  subDecisionNames as jdmNames,
  validate as validateJdm,
  type ValidateOptions,
} from './jdm/validate.js';
import { defaultLimits } from './limits.js';

export type DecisionProgram = Program | DmnProgram;

export interface CompileOptions extends JdmOptions {
  /** The content of a decision by the name that an import gives, with those that it imports; undefined where there is none. */
  readonly imported?: ((name: string) => ImportedContent | undefined) | undefined;
}

export interface ImportedContent {
  readonly content: unknown;
  readonly imported: (name: string) => ImportedContent | undefined;
}

export const dmnType = 'application/dmn+xml';

/** The XML of a DMN decision's content (dmn.md, section 26); undefined for any other content. */
export function dmnOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return undefined;
  const { contentType, xml } = content as { readonly contentType?: unknown; readonly xml?: unknown };
  if (contentType !== dmnType) return undefined;
  return typeof xml === 'string' ? xml : '';
}

/** The name by which an import means another decision: where its document lies, else its namespace. */
const importName = ({ locationURI, namespace }: Pick<Import, 'locationURI' | 'namespace'>): string =>
  locationURI === undefined || locationURI === '' ? namespace : locationURI;

/** Compiles a decision's content. @throws EngineError as the compilers of both kinds do */
export function compile(content: unknown, options: CompileOptions): DecisionProgram {
  const xml = dmnOf(content);
  if (xml === undefined) return compileJdm(content, options);
  return compiledDmn(xml, options).program;
}

/** A DMN document with all that it imports. @throws EngineError */
export function compiledDmn(
  xml: string,
  options: Omit<CompileOptions, 'resolve'> & Pick<DmnCompileOptions, 'onTable'>,
): CompiledDmn {
  const { imported, ...others } = options;
  return compileDmn(xml, { ...others, imports: imported && documentsOf(imported) });
}

const documentsOf =
  (imported: NonNullable<CompileOptions['imported']>): ImportedDocument['imports'] =>
  (wanted) => {
    const found = imported(importName(wanted));
    const xml = dmnOf(found?.content);
    return found === undefined || xml === undefined ? undefined : { xml, imports: documentsOf(found.imported) };
  };

/**
 * Every diagnostic of a content at once. What a run of a DMN model tolerates, because the value is null then, is a warning.
 * Never throws for what the content holds.
 */
export function validate(content: unknown, options: ValidateOptions): Diagnostic[] {
  const xml = dmnOf(content);
  if (xml === undefined) return validateJdm(content, options);
  const { limits = defaultLimits, timeLimitMs = Infinity } = options;
  try {
    const { diagnostics, stoppedAfterMs } = faultsOfDmn(xml, { limits, timeLimitMs });
    const told = diagnostics.map((each) => (fatal.has(each.code) ? each : ({ ...each, severity: 'warning' } as const)));
    return stoppedAfterMs === undefined ? told : [...told, stoppedAt({}, stoppedAfterMs)];
  } catch (error) {
    if (error instanceof EngineError) return [error.toDiagnostic()];
    throw error;
  }
}

const fatal: ReadonlySet<string> = new Set(['decision_missing', 'model_invalid', 'limit_program']);

/** The names of other decisions that a content uses, by the ids of the nodes or imports that give them. */
export function subDecisionNames(content: unknown): Map<string, string> {
  const xml = dmnOf(content);
  if (xml === undefined) return jdmNames(content);
  const imports = tried(() => readDefinitions(xml).imports) ?? [];
  return new Map(imports.map((each) => [each.id, importName(each)] as const));
}

/** The same names, each once. */
export const subDecisionKeys = (content: unknown): string[] => [...new Set(subDecisionNames(content).values())];

/**
 * JSON Schemas of what a content takes and gives, and what it decides in its own words. Never throws for what it holds.
 * @param subSchemas those of the decisions that its nodes run
 * @param imported the contents that a document of DMN imports, whose input data it takes as well
 */
export function schemasOf(
  content: unknown,
  subSchemas: ReadSubSchemas = () => undefined,
  imported?: CompileOptions['imported'],
): ModelSchemas & SubSchemas {
  const xml = dmnOf(content);
  if (xml === undefined) return { ...jdmSchemas(content, subSchemas), about: aboutJdm(content) };
  const schemas = tried(() => dmnSchemas(compiledDmn(xml, { imported }), readDefinitions(xml)));
  return { ...(schemas ?? { input: {}, output: {}, inferred: true, about: '' }), handsOn: false };
}

/** The first name of a selection that the program does not have, and what to say of it; undefined where it has them all. */
export function unknownSelection(program: DecisionProgram, select: readonly string[]): UnknownSelection | undefined {
  if (program instanceof DmnProgram) return program.unknownIn(select);
  return select.length === 0 ? undefined : { at: 0, message: 'The model is JDM, which has nothing to select.' };
}
