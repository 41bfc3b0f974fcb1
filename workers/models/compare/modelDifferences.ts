import { compareDmn } from './dmnDifferences.js';
import type { ModelDifferences } from './itemDifferences.js';
import { compareJdm } from './jdmDifferences.js';

/** Compares two models of either form; a model of another form has changed in everything. */
export const compareModels = (from: unknown, to: unknown): ModelDifferences =>
  compareDmn(from, to) ?? compareJdm(from, to);
