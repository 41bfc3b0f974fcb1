import type { Model, Trace } from '../api/types.js';
import { sentencesOf } from '../graph/sentence.js';

/** What tables and switches chose in a run, a line each: `row 9 of Rates matched: Personal`. */
export const howOf = (model: Model, trace: Trace | null | undefined): readonly string[] =>
  sentencesOf(model, trace ?? {}).map(({ before, name, after }) => [before, name, after].filter(Boolean).join(' '));
