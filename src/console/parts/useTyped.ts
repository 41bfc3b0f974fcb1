import { useState } from 'preact/hooks';

interface TypedProps {
  readonly value: string;
  readonly onInput: (event: TextEvent) => void;
  readonly onChange: (event: TextEvent) => void;
  readonly onBlur: () => void;
}

interface TextEvent {
  readonly currentTarget: { readonly value: string };
}

/**
 * For a text box whose text counts once it is complete: on Enter, or when the focus leaves it. Until then what was typed
 * stands, even where the page is drawn anew because an answer arrived.
 */
export function useTyped(value: string, onComplete: (text: string) => void): TypedProps {
  const [typed, setTyped] = useState<string | null>(null);
  return {
    value: typed ?? value,
    onInput: ({ currentTarget }) => setTyped(currentTarget.value),
    onChange: ({ currentTarget }) => {
      setTyped(null);
      onComplete(currentTarget.value);
    },
    onBlur: () => setTyped(null),
  };
}
