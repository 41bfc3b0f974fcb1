import { formatJson, LongNumber, parseExactly } from '../../workers/models/exactJson.js';

/** What is to be erased from counts of results. */
export interface ErasedValues {
  /** How many executions are erased together: what was counted more often is not theirs alone. */
  readonly executions: number;
  /** Their facts and results, JSON. */
  readonly texts: readonly string[];
}

/** Whether a counted text (JSON) holds a value that is to be erased. */
export type IsErased = (text: string, count: number) => boolean;

/** JSON texts from this length on are found anywhere in another; shorter ones where they are the whole of a value. */
const longEnough = 4;
/** Of a longer text the beginning is searched for: reports show no more of some. */
const searchedLength = 40;

export function createIsErased({ executions, texts }: ErasedValues): IsErased {
  const [long, short] = [new Set<string>(), new Set<string>()];
  const collect = (value: unknown): void => {
    if (value === null || typeof value === 'boolean') return;
    if (typeof value === 'object' && !(value instanceof LongNumber)) {
      for (const item of Object.values(value)) collect(item);
      return;
    }
    const json = formatJson(value);
    const inner = json.startsWith('"') ? json.slice(1, -1) : json;
    if (inner.length >= longEnough) long.add(inner.slice(0, searchedLength));
    else for (const name of ['before', 'after']) for (const end of ',}') short.add(`"${name}":${json}${end}`);
  };
  for (const text of texts) collect(parseExactly(text));
  const needles = [...long, ...short];
  return (text, count) => count <= executions && needles.some((needle) => text.includes(needle));
}

interface Report {
  readonly transitions?: readonly { readonly count: number }[];
  readonly outcomes?: readonly { readonly table?: readonly { readonly count: number }[] }[];
}

/** A report of a replay or a shadow (JSON) without what is erased. */
export function withoutErased(report: string, isErased: IsErased): string {
  if (report === '') return report;
  const { transitions, outcomes, ...rest } = parseExactly(report) as Report;
  const kept = <Row extends { readonly count: number }>(rows: readonly Row[]): Row[] =>
    rows.filter((row) => !isErased(formatJson(row), row.count));
  return formatJson({
    ...rest,
    ...(transitions === undefined ? {} : { transitions: kept(transitions) }),
    ...(outcomes === undefined
      ? {}
      : { outcomes: outcomes.map((one) => (one.table === undefined ? one : { ...one, table: kept(one.table) })) }),
  });
}

type Entries = readonly (readonly [text: string, count: number])[];

/** The same of what `Tallies` keep. */
export function talliesWithoutErased(tallies: string, isErased: IsErased): string {
  if (tallies === '') return tallies;
  const parsed = JSON.parse(tallies) as { transitions: Entries; outcomes: readonly { table: Entries }[] };
  const kept = (entries: Entries): Entries => entries.filter(([text, count]) => !isErased(text, count));
  return JSON.stringify({
    ...parsed,
    transitions: kept(parsed.transitions),
    outcomes: parsed.outcomes.map((one) => ({ ...one, table: kept(one.table) })),
  });
}
