import { useEffect, useRef } from 'preact/hooks';
import { codeView, type Code, type CodeOptions } from './codeView.js';
import type { TextFault } from './faultMarks.js';

interface CodeTextProps extends Omit<CodeOptions, 'text'> {
  readonly value: string;
  readonly class?: string;
  readonly faults?: readonly TextFault[];
}

/** A text of code, that has colours, completion and its faults under it. Its callbacks are those of the first drawing. */
export function CodeText({ value, faults, class: name = '', ...options }: CodeTextProps) {
  const place = useRef<HTMLDivElement>(null);
  const code = useRef<Code | null>(null);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (place.current === null) return;
    code.current = codeView(place.current, {
      ...options,
      text: value,
      // Those of the last drawing: they see what is there by now.
      onChange: (text) => latest.current.onChange(text),
      onKey: (event) => latest.current.onKey?.(event) ?? false,
      complete: (...place) => latest.current.complete?.(...place) ?? [],
    });
    return () => {
      code.current?.close();
      code.current = null;
    };
  }, [options.language, options.label]);
  useEffect(() => code.current?.setText(value), [value]);
  useEffect(() => code.current?.setFaults(faults ?? []), [faults]);
  return <div class={`code-text ${name}`} ref={place} />;
}
