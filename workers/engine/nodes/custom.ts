import { EngineError } from '../errors.js';
import { Reader } from '../jdm/reader.js';
import type { CompiledNode, NodeType } from './nodeType.js';

/** Notes on the editor's canvas. They do nothing. */
const note = 'noteNode';

/** A node of a kind that an extension of the editor defines. None is registered here, so that running one fails. */
export const customNode: NodeType = {
  type: 'customNode',
  read(content, report) {
    const kind = new Reader(content, 'content', report).text('kind');
    return { role: 'step', custom: kind, expressions: () => [], compile: () => compile(kind) };
  },
};

/** Whether nodes of that custom kind can run. */
export function isCustomKind(kind: string): boolean {
  return kind === note;
}

function compile(kind: string): CompiledNode {
  const run: CompiledNode['run'] = (input) => {
    if (isCustomKind(kind)) return input;
    throw new EngineError('unknown_node_kind', `There is no custom node kind "${kind}" here.`, {
      field: 'content.kind',
    });
  };
  return { run, trace: run };
}
