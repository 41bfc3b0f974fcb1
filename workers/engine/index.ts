// The public entry of the engine: all that the worker, the importer and the command line may use.
export { EngineError, faultLine, type EngineErrorCode, type Fault, type Place } from './errors.js';
export { Footprint } from './footprint.js';
export { defaultLimits, type Limits } from './limits.js';
export { engineNumber } from './number.js';
export type { RunState, Value, ValueObject } from './values.js';
export { compile, type CompileOptions } from './jdm/compile.js';
export type { Outcome, RunOptions } from './jdm/parts.js';
export { Program } from './jdm/program.js';
export { performanceText, traceText, type NodeTrace, type Trace } from './jdm/trace.js';
export { schemasOf, type ModelSchemas } from './jdm/schemas.js';
export { subDecisionKeys, subDecisionNames, validate, type ValidateOptions } from './jdm/validate.js';
export { mark, redactor, type Redactor, type RunSecrets } from './redact.js';
export { createSandbox } from './sandbox/sandbox.js';
export type { HttpPolicy, Sandbox, SandboxLimits } from './sandbox/types.js';
export { compileExpression, type Expression } from './zen/compile.js';
export { fromJson, JsonTexts, stringify, toJson } from './zen/values/json.js';
export { isNumeric, numberText, parseNumber } from './zen/values/numbers.js';
export { setKey } from './zen/values/objects.js';
