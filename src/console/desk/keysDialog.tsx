import { Dialog } from '../parts/dialog.js';

const keys = [
  ['Ctrl+Z, Ctrl+Y', 'undo, redo'],
  ['Ctrl+S', 'keep as working copy'],
  ['Ctrl+Enter', 'run the fact'],
  ['F', 'fill the screen with what is open, and back'],
  ['?', 'these keys'],
  ['Enter, F2', 'write in a cell, or open a column; Enter ends it and goes down'],
  ['Tab', 'in a cell that is written: on to the next one; else out of the table'],
  ['Esc', 'takes back what was typed in a cell'],
  ['Arrows, Home, End, Page', 'from cell to cell; with Shift the selection grows, with Ctrl to the edge'],
  ['Ctrl+C, X, V', 'copy, cut, paste cells, as spreadsheets have them'],
  ['Ctrl+D', 'fill down'],
  ['Ctrl+F', 'find in cells'],
  ['Delete', 'empties cells; in the graph deletes nodes'],
  ['Arrows in the graph', 'from node to node; with Shift they move it'],
  ['Space in the graph', 'selects one node more'],
  ['Arrows in a list of tests or findings', 'from row to row, and along its buttons'],
] as const;

export const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" cancel="Close" onClose={onClose}>
    <dl class="keys">
      {keys.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
