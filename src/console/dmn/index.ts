import type { Model, ModelTest } from '../api/types.js';
import { positionsOf } from './layout.js';
import { modelOf } from './model.js';

// What only documents of DMN need: loaded with the first of them.
export { documentOf } from './write.js';

/** A document as the pages show models, drawn as its modeler drew it. */
export const readDocument = (xml: string, tests: readonly ModelTest[] | undefined): Model =>
  modelOf(xml, tests, positionsOf);
