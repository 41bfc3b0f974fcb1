import type { Model } from '../api/types.js';
import { membersOf, rowsOf, stepsOf } from '../graph/fields.js';
import { placed } from '../model/movedFaults.js';
import type { FileModel } from './fileModel.js';
import { newId } from './ids.js';
import { withContent } from './modelEdits.js';

/** What was read of a file for the whole of a table, as rows of their own below those that are there. */
export function withRowsBelow(before: Model, { content, faults }: FileModel, nodeId: string): FileModel {
  const at = before.nodes.findIndex(({ id }) => id === nodeId);
  const old = rowsOf(before.nodes[at]?.content, 'rules');
  const own = membersOf(content.nodes.find(({ id }) => id === nodeId)?.content);
  const rules = [...old, ...rowsOf(own, 'rules').map((rule) => ({ ...rule, _id: newId() }))];
  const moved = faults.map((fault) => {
    const [, node, , list, row = ''] = stepsOf(fault.pointer ?? '');
    return node === String(at) && list === 'rules' && row !== ''
      ? placed(fault, [at, old.length + Number(row)])
      : fault;
  });
  return { content: withContent(before, nodeId, { ...own, rules }), faults: moved };
}
