import { useLayoutEffect, useRef } from 'preact/hooks';
import { codeView, type Code, type CodeOptions } from './codeView.js';
import type { TextFault } from './faultMarks.js';

interface CodeTextProps extends Omit<CodeOptions, 'text'> {
  readonly value: string;
  readonly class?: string;
  readonly faults?: readonly TextFault[];
}

/** A text of code, that has colours, completion and its faults under it. Its callbacks are those of the first drawing. */
export function CodeText({ value, faults, class: name = '', ...options }: CodeTextProps) {
  const parent = useRef<HTMLDivElement>(null);
  const code = useRef<Code | null>(null);
  const latest = useRef(options);
  latest.current = options;
  // At once, and not after the next painting: a cell that is typed into would lose the letters before it.
  useLayoutEffect(() => {
    if (parent.current === null) return;
    code.current = codeView(parent.current, {
      ...options,
      text: value,
      // Those of the last drawing: they see what is there by now.
      onChange: (text) => latest.current.onChange(text),
      onKey: (event) => latest.current.onKey?.(event) ?? false,
      complete: (...before) => latest.current.complete?.(...before) ?? [],
    });
    return () => {
      code.current?.close();
      code.current = null;
    };
  }, [options.language, options.label]);
  useLayoutEffect(() => code.current?.setText(value), [value]);
  useLayoutEffect(() => code.current?.setFaults(faults ?? []), [faults]);
  return <div class={`code-text ${name}`} ref={parent} />;
}
