import { tried } from '../../engine/errors.js';
import { decideAlone } from '../../engine/dmn/alone.js';
import type { CompiledTable } from '../../engine/dmn/boxed/decisionTable.js';
import type { Node } from '../../engine/dmn/graph.js';
import type { Element } from '../../engine/dmn/element.js';
import { Run } from '../../engine/feel/index.js';
import type { ValueObject } from '../../engine/values.js';
import { newRun } from '../evaluate.js';
import type { Alone } from '../model.js';
import { feelTable, type FeelTable } from './feelTable.js';

/** A table of a document with what the engine made of it. */
export interface ReadTable {
  readonly id: string;
  /** Of its decision or business knowledge model. */
  readonly ownerId: string;
  readonly name: string;
  readonly isTraced: boolean;
  readonly table: FeelTable;
  /** Its rules, as written. */
  readonly text: string;
  readonly alone: (input: ValueObject) => Alone | undefined;
}

/** Reads a table while its document is compiled. */
export function readTable(compiled: CompiledTable, node: Node): ReadTable {
  const { element, context } = compiled;
  const { isWhole, owner } = context;
  return {
    id: isWhole ? owner.id : (element.attributes['id'] ?? element.pointer),
    ownerId: owner.id,
    name: owner.name,
    isTraced: isWhole,
    table: feelTable(compiled),
    text: textOf(element),
    alone: (input) => {
      const run = new Run({ ...newRun(), steps: stepsAlone });
      const decided = tried(() => decideAlone(compiled, node, new Map(Object.entries(input)), run));
      return decided && { rows: decided.rules, result: decided.result };
    },
  };
}

const textOf = ({ name, text, children }: Element): string => `${name}(${text.trim()}${children.map(textOf).join()})`;

/** Steps of one table by itself. */
const stepsAlone = 10_000_000;
