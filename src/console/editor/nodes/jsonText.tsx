import { useRef, useState } from 'preact/hooks';
import { parseJson } from '../../api/exactJson.js';
import { CodeText } from '../text/codeText.js';
import type { TextFault } from '../text/faultMarks.js';

interface JsonTextProps {
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  /** What was typed, where it is JSON. */
  readonly onValue: (value: unknown) => void;
}

/** JSON as a text. What is none is told, and is no value. */
export function JsonText({ label, hint, text, onValue }: JsonTextProps) {
  const [fault, setFault] = useState<string | null>(null);
  const typed = useRef(text);
  const take = (next: string): void => {
    typed.current = next;
    try {
      onValue(parseJson(next));
      setFault(null);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  const faults: TextFault[] = fault === null ? [] : [{ message: fault, severity: 'error', line: null, column: null }];
  return (
    <div class="json-text">
      <p class="soft small">{hint}</p>
      {/* What was typed stays as it was typed. */}
      <CodeText class="full" label={label} language="json" value={typed.current} faults={faults} onChange={take} />
      {fault !== null && (
        <p role="alert" class="failure">
          This is no JSON: {fault}
        </p>
      )}
    </div>
  );
}
