import { useEffect, useRef, useState } from 'preact/hooks';
import type { Operations } from '../api/operations.js';
import { untilAnswered } from '../api/tries.js';
import type { Execution, ExecutionSummary } from '../api/types.js';
import { valuesText } from '../parts/values.js';

/** What an execution was asked, and what came of it, in a few words each. */
interface Brief {
  readonly fact: string;
  readonly result: string;
}

export type Briefs = (id: string, signal: AbortSignal) => Promise<Brief | null>;

/** More letters than this have no room in a row. */
const mostLetters = 200;

/**
 * Asks for executions, each once, as long as somebody waits for it: lists have no facts, so each row that is seen costs what opening
 * it does. What is kept is no more than the words.
 */
export function briefsOf(api: Pick<Operations, 'execution'>): Briefs {
  const known = new Map<string, Brief>();
  return async (id, signal) => {
    const ask = async (): Promise<Brief> => briefOf(await api.execution(id, signal));
    const found = known.get(id) ?? (await untilAnswered(ask, signal).catch(() => null));
    if (found !== null) known.set(id, found);
    return found;
  };
}

const briefOf = ({ fact, result, error }: Execution): Brief => ({
  fact: fact === null ? 'not recorded' : short(valuesText(fact)),
  result: error === null ? short(valuesText(result)) : short(messageIn(error)),
});

const messageIn = ({ message }: Readonly<Record<string, unknown>>): string =>
  typeof message === 'string' ? message : 'failed';

const short = (text: string): string =>
  text.length > mostLetters ? `${text.slice(0, mostLetters).toWellFormed()} …` : text;

interface InBriefProps {
  readonly execution: Pick<ExecutionSummary, 'id' | 'erased' | 'status'>;
  readonly briefs: Briefs;
}

/** Fact and result of a row, asked for once the row is seen. Its place has one size, whatever comes. */
export function InBrief({ execution: { id, erased = false, status }, briefs }: InBriefProps) {
  const line = useRef<HTMLSpanElement>(null);
  const [brief, setBrief] = useState<Brief | null>(null);
  useEffect(() => {
    setBrief(null);
    if (erased || line.current === null) return;
    const left = new AbortController();
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void briefs(id, left.signal).then((found) => !left.signal.aborted && setBrief(found));
    });
    seen.observe(line.current);
    return () => {
      seen.disconnect();
      left.abort();
    };
  }, [id, erased, briefs]);
  return (
    <span class="brief" ref={line} title={brief === null ? undefined : `${brief.fact} → ${brief.result}`}>
      {erased && <span class="soft">erased</span>}
      {brief !== null && [
        <span key="fact">{brief.fact}</span>,
        <span key="sign">→</span>,
        <span key="result" class={status === 'FAILED' ? 'bad' : ''}>
          {brief.result}
        </span>,
      ]}
      {!erased && brief === null && '\u00a0'}
    </span>
  );
}
