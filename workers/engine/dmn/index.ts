// DMN 1.1 to 1.5 for the rest of the engine and for the server.
//
//   const { program, diagnostics, inputs, decisions, services } = compileDmn(xml, { imports, limits, footprint });
//   const outcome = program.run(fact, { select, trace, now, deadline, random });
//
// - `compileDmn` throws an EngineError `model_invalid` where the text is no document of DMN (its message names line and
//   column), and `limit_program` where it is too large. All other faults are `diagnostics`: the program runs, and the
//   faulty expressions are null when they are reached.
// - `imports` is asked for each imported document ({name, namespace, locationURI}), and gives its text with the documents that
//   it imports itself; undefined: none.
// - `program` has JDM's `run`, `enter` and `async` (never): a decision node of JDM may enter it. Results are JSON with all
//   digits; `warnings` say what was null and why, and `warningCount` counts them all.
// - `select` are names of `decisions` or `services`; `program.unknownIn(select)` gives the first that is none.
export { compileDmn, type CompiledDmn, type Described } from './compileDmn.js';
export { type DmnCompileOptions, type ImportedDocument } from './compile.js';
export { textOfFile } from './encoding.js';
export { reachableIn, readDefinitions, type Definitions } from './definitions.js';
export { DmnProgram, type DmnOutcome } from './program.js';
export { jsonFromNumber } from './values.js';
export { feelReference, numberFrom, temporalFrom } from '../feel/index.js';
export { childOf, childrenOf, textWithin, type Element } from './element.js';
export { readXml, type Format } from './xml.js';
