import { whatWasMissing } from '../../../workers/models/narrate/missing.js';
import { worded } from '../analysis/worded.js';
import type { ModelNode, NodeTrace } from '../api/types.js';
import type { RowFinding } from '../editor/marks.js';
import { fieldWords } from '../graph/fieldWords.js';
import { count } from '../parts/small.js';

interface NodeToldProps {
  readonly node: ModelNode;
  readonly trace: NodeTrace | undefined;
  /** The node as it ran. */
  readonly ran: ModelNode | undefined;
  /** Of the whole table. */
  readonly findings: readonly RowFinding[];
}

/** Why a run failed here, else what is proved of a whole table. The panel Analysis has all of it. */
export function NodeTold({ node, trace, ran, findings }: NodeToldProps) {
  const { error, input } = trace ?? {};
  if (error !== undefined) {
    const content = ran?.content;
    const text = `${error.field === undefined ? '' : `${fieldWords(error.field, content)}: `}${error.message}${whatWasMissing(error, input, content)}`;
    return (
      <p class="bad small finding" role="note" title={text}>
        ✕ {text}
      </p>
    );
  }
  const texts = findings.map(({ kind, message }) => `${kind}: ${worded(message, node.content)}`);
  return (
    <p class="warn small finding" title={texts.join('\n')}>
      △ {texts[0]}
      {texts.length > 1 && `; ${count(texts.length - 1, 'more finding')} in Analysis`}
    </p>
  );
}
