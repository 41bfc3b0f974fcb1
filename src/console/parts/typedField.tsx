import { useState } from 'preact/hooks';
import { TextField, type TextFieldProps } from './entries.js';

/**
 * A text that counts once it is complete: on Enter, or when the focus leaves it. Until then what was typed stands, even where
 * the page is drawn anew because an answer arrived.
 */
export function TypedField({ value, onComplete, ...rest }: Omit<TextFieldProps, 'onChange'>) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextField
      {...rest}
      value={typed ?? value}
      onChange={setTyped}
      onComplete={(text) => {
        setTyped(null);
        onComplete?.(text);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
