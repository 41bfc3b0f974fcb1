import { useState } from 'preact/hooks';
import { Button, Icon } from './small.js';

/** An id as programs want it, and a button that copies it, where the browser lets pages do so. */
export function Copied({ text, name }: { readonly text: string; readonly name: string }) {
  const [isCopied, setCopied] = useState(false);
  // Absent on plain http beside localhost.
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  return (
    <span class="copied">
      <code>{text}</code>{' '}
      {clipboard !== undefined && (
        <Button
          class="quiet copy"
          title="Copy"
          aria-label={`Copy ${name}`}
          onClick={() => void clipboard.writeText(text).then(() => setCopied(true))}
        >
          <Icon name={isCopied ? 'copied' : 'copy'} />
        </Button>
      )}
      {isCopied && (
        <span class="visually-hidden" role="status">
          Copied.
        </span>
      )}
    </span>
  );
}
