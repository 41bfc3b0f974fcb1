import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Operations } from '../api/operations.js';
import { untilAnswered } from '../api/tries.js';
import type { Execution, ExecutionSummary } from '../api/types.js';
import { classes } from '../parts/small.js';
import { decidedIn } from '../facts/passedOn.js';
import { leavesOf, mostInLine } from '../parts/values.js';

/** What an execution was asked, and what came of it, in a few words each. */
interface Brief {
  readonly fact: Parts;
  readonly result: Parts;
  /** It ran, and came to nothing, which is hardly what was meant: no row matched. */
  readonly isEmpty: boolean;
}

/** What stands in a value, each with its name, and how many more there are. */
interface Parts {
  readonly parts: ReturnType<typeof leavesOf>;
  readonly more: number;
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
  fact: fact === null ? partsOf('not recorded') : partsOf(fact),
  result: partsOf(error === null ? decidedIn({ input: fact, output: result }) : messageIn(error)),
  isEmpty: error === null && JSON.stringify(result) === '{}',
});

const partsOf = (value: unknown): Parts => {
  const leaves = leavesOf(value);
  const parts = leaves.slice(0, mostInLine).map(({ path, text }) => ({ path: short(path), text: short(text) }));
  return { parts, more: leaves.length - parts.length };
};

const textOf = ({ parts }: Parts): string => parts.map(({ path, text }) => `${path} ${text}`.trim()).join(', ');

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
    <span
      class="brief"
      ref={line}
      title={brief === null ? undefined : `${textOf(brief.fact)} → ${textOf(brief.result)}`}
    >
      {erased && <span class="soft">erased</span>}
      {brief !== null && [
        <Told key="fact" of={brief.fact} />,
        <Told
          key="result"
          of={brief.result}
          isResult
          mark={status === 'FAILED' ? 'bad' : brief.isEmpty ? 'warn' : ''}
        />,
      ]}
    </span>
  );
}

interface ToldProps {
  readonly of: Parts;
  readonly isResult?: boolean;
  readonly mark?: 'bad' | 'warn' | '';
}

/** As many values as have room, whole, since half a number is another one; names are cut before values. The end says how many more there are. */
function Told({ of: { parts, more }, isResult = false, mark = '' }: ToldProps) {
  const box = useRef<HTMLSpanElement>(null);
  const [hidden, setHidden] = useState(0);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    // What has no room is in a line below those that are seen.
    const count = (): void => {
      const end = current.getBoundingClientRect().bottom - 1;
      setHidden([...current.children].filter((part) => part.getBoundingClientRect().top >= end).length);
    };
    const sizes = new ResizeObserver(count);
    sizes.observe(current);
    return () => sizes.disconnect();
  }, [parts]);
  const left = more + hidden;
  return (
    <span class="told">
      {isResult && <span>→</span>}
      <span class="parts" ref={box}>
        {parts.map(({ path, text }, at) => (
          <span key={path}>
            {path !== '' && <span class="soft">{path}</span>}
            <span class={classes('value', mark)}>
              {text}
              {at < parts.length - 1 && ','}
            </span>
          </span>
        ))}
      </span>
      {left > 0 && <span class="soft">… {left} more</span>}
    </span>
  );
}
