import { formatJson, parseExactly } from '../../workers/json/index.js';
import type { MeasureSettings } from '../../workers/models/index.js';
import { createPause } from '../admission/pause.js';
import { hidden, isHidden, isShown, newSalt, shownRow, type KeptRow } from './anonymousCounts.js';
import type { ErasedResults } from './erasedResults.js';
import { isTold, measureWithoutErased, type KeptMeasure } from './keptMeasures.js';

/** What is erased from counts, of which place the rows are that name none, and what the measures are. */
interface CountsErased {
  readonly results: ErasedResults;
  readonly statedPointer: string;
  readonly measures: readonly Pick<MeasureSettings, 'aggregate'>[];
}

/** A row as a report has it. */
interface ReportRow {
  readonly count: number;
  readonly erased?: number;
}

/** A measure as a report has it. */
interface ReportMeasure {
  readonly before: unknown;
  readonly after: unknown;
  readonly erased?: number;
}

/** What has rows: a report, or what `Tallies` keep. */
interface Counted<Row> {
  readonly transitions?: readonly Row[];
  readonly outcomes?: readonly { readonly table: readonly Row[] }[];
}

/** The report of a replay or a shadow (JSON) without the values that too few executions still have. */
export async function reportWithoutErased(report: string, erased: CountsErased): Promise<string> {
  if (report === '') return report;
  const counted = parseExactly(report) as Counted<ReportRow> & {
    readonly replayed: number;
    readonly measures: readonly ReportMeasure[];
  };
  const salt = newSalt();
  const rows = await eachRow(counted, (row) => {
    const { count, erased: before = 0, ...values } = row;
    const kept: KeptRow = [formatJson(values), count, before];
    const left = withoutErased(kept, erased, salt);
    return left === kept ? row : (parseExactly(shownRow(left)) as ReportRow);
  });
  const measures = counted.measures.map((measure, index) => {
    const all = Math.min(counted.replayed, (measure.erased ?? 0) + erased.results.size);
    const aggregate = erased.measures[index]?.aggregate ?? 'count';
    const told = isTold(aggregate, all, !isShown(counted.replayed, all)) ? {} : { before: null, after: null };
    return all === 0 ? measure : { ...measure, ...told, erased: all };
  });
  return formatJson({ ...rows, measures });
}

/** The same of kept `Tallies`. */
export async function talliesWithoutErased(tallies: string, erased: CountsErased): Promise<string> {
  if (tallies === '') return tallies;
  const counted = JSON.parse(tallies) as Counted<KeptRow> & {
    readonly salt: string;
    readonly measures: readonly KeptMeasure[];
  };
  const rows = await eachRow<KeptRow>(counted, (row) => withoutErased(row, erased, counted.salt));
  const measures = counted.measures.map((measure) => measureWithoutErased(measure, erased.results.size));
  return JSON.stringify({ ...rows, measures });
}

/** Notes in a row how many of its executions were erased, and hides its values where too few others have them. */
function withoutErased(row: KeptRow, { results, statedPointer }: CountsErased, salt: string): KeptRow {
  const [text, count, before = 0] = row;
  // A row that an earlier erasure has hidden has only a hash left, so any of these executions may have had its values.
  const ofHidden = before > 0 ? results.size : 0;
  const added = isHidden(text) ? ofHidden : results.countOf(text, statedPointer);
  if (added === 0) return row;
  const all = Math.min(count, before + added);
  return [isShown(count, all) ? text : hidden(text, salt), count, all];
}

async function eachRow<Row>(counted: Counted<Row>, changed: (row: Row) => Row): Promise<Counted<Row>> {
  const pause = createPause();
  const changedRows = async (rows: readonly Row[]): Promise<Row[]> => {
    const left: Row[] = [];
    for (const row of rows) {
      left.push(changed(row));
      await pause();
    }
    return left;
  };
  const { transitions, outcomes } = counted;
  const tables: { readonly table: readonly Row[] }[] = [];
  for (const one of outcomes ?? []) tables.push({ ...one, table: await changedRows(one.table) });
  return {
    ...counted,
    ...(transitions === undefined ? {} : { transitions: await changedRows(transitions) }),
    ...(outcomes === undefined ? {} : { outcomes: tables }),
  };
}
