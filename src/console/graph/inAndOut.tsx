import type { NodeTrace } from '../api/types.js';
import { ValuesOrJson } from '../parts/values.js';

/** What a run gave to a node and got from it. */
export const InAndOut = ({ input, output }: Pick<NodeTrace, 'input' | 'output'>) => (
  <div class="columns">
    <div>
      <h3>In</h3>
      <ValuesOrJson value={input} label="Input of the node" />
    </div>
    <div>
      <h3>Out</h3>
      <ValuesOrJson value={output} label="Output of the node" />
    </div>
  </div>
);
