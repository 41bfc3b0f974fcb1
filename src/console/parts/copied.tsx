import { useState } from 'preact/hooks';

/** An id as programs want it, and a button that copies it, where the browser lets pages do so. */
export function Copied({ text, name }: { readonly text: string; readonly name: string }) {
  const [isCopied, setCopied] = useState(false);
  // Absent on plain http beside localhost.
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
  return (
    <span class="copied">
      <code>{text}</code>
      {clipboard !== undefined && (
        <button
          type="button"
          class="quiet small"
          aria-label={`Copy ${name}`}
          onClick={() => void clipboard.writeText(text).then(() => setCopied(true))}
        >
          {isCopied ? 'copied' : 'copy'}
        </button>
      )}
    </span>
  );
}
