// The public entry of the engine: all that the worker, the importer and the command line may use.
export { diagnosticLine, EngineError, tried, type Diagnostic, type EngineErrorCode, type Location } from './errors.js';
export { Footprint } from './footprint.js';
export { defaultLimits, type Limits } from './limits.js';
export { engineNumber } from './number.js';
export type { RunState, Value, ValueObject } from './values.js';
export * from './dmn/index.js';
export {
  compile,
  compiledDmn,
  dmnOf,
  dmnType,
  schemasOf,
  subDecisionKeys,
  subDecisionNames,
  unknownSelection,
  validate,
  type CompileOptions,
  type DecisionProgram as Program,
  type ImportedContent,
} from './decision.js';
export { failedOutcome } from './jdm/outcome.js';
export type { Outcome, RunOptions } from './jdm/parts.js';
export type { Warning } from './feel/feelRun.js';
export { Program as JdmProgram } from './jdm/program.js';
export { rowsIn, traceText, type NodeTrace, type Trace } from './jdm/trace.js';
export type { SubSchemas } from './jdm/reads.js';
export type { ModelSchemas } from './jdm/schemas.js';
export type { ValidateOptions } from './jdm/validate.js';
export { redactor, type Redactor, type RunSecrets } from './redact.js';
export { createSandbox } from './sandbox/sandbox.js';
export type { HttpPolicy, Sandbox, SandboxLimits } from './sandbox/types.js';
export { shown, whyItHeld, whyItMatched } from './zen/because.js';
export { compileExpression, type Expression } from './zen/compile.js';
export { languageReference, type ReferenceGroup } from './zen/reference.js';
export { fromJson, JsonTexts, stringify, toJson } from './zen/values/json.js';
export { isNumeric, numberText, parseNumber } from './zen/values/numbers.js';
export { longDecimal, readJson } from './zen/values/readJson.js';
export { setKey } from './zen/values/objects.js';
