import type { NodeType } from '../editor/newNode.js';
import { Button } from '../parts/small.js';

/** What a new decision begins with, said where its graph has no more than a request and a response. */
export const FirstStep = ({ onBegin }: { readonly onBegin: (type: NodeType) => void }) => (
  <div
    class="panel"
    role="group"
    aria-label="First step"
    style={{ gridArea: '2 / 1', placeSelf: 'start center', zIndex: 1 }}
  >
    <p>
      Begin with a table, each row of which says when it holds and what it gives, or with formulas; a sheet of a
      spreadsheet is pasted (Ctrl+V).
    </p>
    <div class="actions">
      <Button name="Begin with a table" class="primary" onClick={() => onBegin('decisionTableNode')} />
      <Button name="Begin with formulas" onClick={() => onBegin('expressionNode')} />
    </div>
  </div>
);
