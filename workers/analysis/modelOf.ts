import { dmnOf, type ImportedContent, type Program } from '../engine/index.js';
import { dmnModel } from './dmn/model.js';
import { jdmModel } from './jdmModel.js';
import type { AnalysedModel } from './model.js';

/** One version of a decision, as it is brought to the analysis. */
export interface Version {
  readonly document: unknown;
  /** Compiled with all that it reaches; null where it does not compile. */
  readonly program: Program | null;
  /** All that it reaches, as text that is the same for the same programs. */
  readonly linked: string;
  /** The decisions that a DMN document imports. */
  readonly imported?: ((name: string) => ImportedContent | undefined) | undefined;
}

/** A version as the model that it is. @throws EngineError for a document that is no model */
export function modelOf(version: Version): AnalysedModel {
  const xml = dmnOf(version.document);
  return xml === undefined ? jdmModel(version) : dmnModel(version, xml);
}
