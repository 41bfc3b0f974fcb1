// How a document of DMN is read, for pages as well as for threads: nothing here is compiled or run.
export { readDefinitions, type Definitions, type Part } from './definitions.js';
export { textOfFile } from './encoding.js';
export { childOf, childrenOf, textWithin, type Element } from './element.js';
