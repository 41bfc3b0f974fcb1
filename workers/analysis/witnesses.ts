import type { Program, Value, ValueObject } from '../engine/index.js';
import { isObject } from '../engine/zen/values/kinds.js';
import type { Deadline } from './deadline.js';
import type { Box } from './boxes.js';
import type { Field } from './fields.js';
import { anyInput, describeRegion, pointIn } from './shownRegion.js';
import type { Finding, FindingKind } from './finding.js';
import type { AnalysedTable } from './model.js';
import type { ReportedFinding, Witness } from './report.js';
import { rowElement, type Explored } from './search.js';
import type { Dimension } from './dimension.js';
import { callsIn, factOf, inputOf, runOn } from './witness.js';
import { withMoments } from './withMoments.js';

/** Has the engine run what is claimed of one table, before it is told. */
export class TableWitnesses {
  readonly #sources: WitnessSources;
  #unconfirmed = 0;

  constructor(sources: WitnessSources) {
    this.#sources = sources;
  }

  /** How often the engine did not show what was proved. */
  get unconfirmed(): number {
    return this.#unconfirmed;
  }

  async report(finding: Finding): Promise<ReportedFinding> {
    const { kind, rows, region } = finding;
    const rules = this.#rulesOf(rows);
    const witness =
      region === null ? null : await this.#witness(region, (seen) => shows(finding, seen), this.#isSure(finding));
    const told: Told = {
      ...{
        word: this.#sources.table.word,
        isPriority: this.#sources.table.hitPolicy === 'PRIORITY',
        rows: numbersOf(rows),
        hider: finding.hiddenBy === undefined ? null : numbersOf([finding.hiddenBy]),
      },
      where: region === null ? '' : describeRegion(this.#sources.table.found.boxes, region),
    };
    const message = finding.isOutside === true ? outside(told) : messages[kind](told);
    const isWrong = (kind === 'shadowed' || kind === 'conflict') && rows.some((row) => this.#isReached(row));
    if (kind === 'conflict' && !isWrong) return { kind, rules, status: 'proved', witness: null, message };
    const reason = finding.reason ?? 'no input could be made that shows it';
    if (witness !== null && !isWrong && finding.isProved) return { kind, rules, status: 'proved', witness, message };
    // The one input shows that there is a gap or an overlap, and not how far it goes.
    if (witness !== null && (kind === 'gap' || kind === 'overlap'))
      return { kind, rules, status: 'proved', witness, message: `${singleMessageOf(kind, told)}, as ${reason}` };
    return { kind, rules, status: 'unknown', witness: null, message: `${message}: not decided, as ${reason}` };
  }

  /** Whether every input of the region shows it: rows that are not exact may take some that a redundant row would. */
  #isSure({ kind, rows, isProved }: Finding): boolean {
    return isProved && (kind !== 'redundant' || rows.every((row) => this.#sources.table.found.regions[row] !== null));
  }

  #isReached(row: number): boolean {
    return this.#sources.reached.has(rowElement(this.#sources.table.nodeId, row));
  }

  #rulesOf(rows: readonly number[]): string[] {
    return rows.map((row) => this.#sources.table.ruleIds[row] ?? String(row));
  }

  /** A finding for which the report has no room. */
  untold({ kind, rows }: Finding): ReportedFinding {
    return {
      kind,
      rules: this.#rulesOf(rows),
      status: 'unknown',
      witness: null,
      message: 'The report has too many findings to show this one',
    };
  }

  async #witness(region: Box, isShown: (rows: readonly number[]) => boolean, isSure: boolean): Promise<Witness | null> {
    const found = (await this.#ofFact(region, isShown)) ?? this.#ofExplored(region, isShown);
    if (found === null) return this.#ofNode(region, isShown, isSure);
    if (!isObject(found.fact)) return found;
    const shows = async (fact: ValueObject): Promise<Witness | undefined> =>
      (await this.#shownBy(fact, region, isShown)) ?? undefined;
    return withMoments(found.fact, this.#sources.fields, found, shows);
  }

  /** The table's fields set in a fact of the decision. */
  async #ofFact(region: Box, isShown: (rows: readonly number[]) => boolean): Promise<Witness | null> {
    const fact = factOf(...this.#pointIn(region));
    return fact === undefined ? null : this.#shownBy(fact, region, isShown);
  }

  async #shownBy(
    fact: ValueObject,
    region: Box,
    isShown: (rows: readonly number[]) => boolean,
  ): Promise<Witness | null> {
    if (this.#sources.program === null) return null;
    const seen = await runOn(this.#sources.program, fact, this.#sources.until);
    return seen === undefined ? null : this.#shown({ fact, ...seen }, region, isShown);
  }

  /** A fact that was found otherwise. */
  #ofExplored(region: Box, isShown: (rows: readonly number[]) => boolean): Witness | null {
    for (const each of this.#sources.explored) {
      const witness = this.#shown(each, region, isShown);
      if (witness !== null) return witness;
    }
    return null;
  }

  #shown(
    { fact, result, trace }: Pick<Explored, 'fact' | 'result' | 'trace'>,
    region: Box,
    isShown: (rows: readonly number[]) => boolean,
  ): Witness | null {
    if (!this.#sources.table.isTraced || !this.#sources.table.isDirect) return null;
    const shown = callsIn(trace, this.#sources.table.nodeId).find(
      ({ input, rows }) => isShown(rows) && this.#isIn(region, input),
    );
    return shown === undefined ? null : { fact, input: shown.input, result };
  }

  #isIn(region: Box, input: Value): boolean {
    return this.#sources.table.found.boxes.dimensions.every((dimension, index) =>
      dimension.isIn(input, region[index] ?? []),
    );
  }

  /** An input of the node alone. */
  async #ofNode(region: Box, isShown: (rows: readonly number[]) => boolean, isSure: boolean): Promise<Witness | null> {
    const input = inputOf(...this.#pointIn(region));
    const seen = input === undefined ? undefined : await this.#sources.table.alone(input, this.#sources.until);
    if (input === undefined || seen === undefined) return null;
    if (!isShown(seen.rows)) {
      if (isSure) this.#unconfirmed++;
      return null;
    }
    return { fact: null, input, result: seen.result };
  }

  #pointIn(region: Box): [readonly Dimension[], readonly (number | null)[]] {
    const { boxes } = this.#sources.table.found;
    return [boxes.dimensions, pointIn(boxes, region)];
  }
}

interface WitnessSources {
  readonly table: AnalysedTable;
  readonly program: Program | null;
  /** Of the facts. */
  readonly fields: readonly Field[];
  readonly explored: readonly Explored[];
  /** All that they reached. */
  readonly reached: ReadonlySet<string>;
  /** After which nothing is run. */
  readonly until: Deadline;
}

/** Whether a run shows what a finding claims. */
function shows({ kind, rows }: Finding, seen: readonly number[]): boolean {
  switch (kind) {
    case 'gap':
      return seen.length === 0;
    case 'shadowed':
      return !rows.some((row) => seen.includes(row)) && seen.length > 0;
    case 'overlap':
      return rows.every((row) => seen.includes(row));
    case 'redundant':
      return rows.some((row) => seen.includes(row));
    case 'conflict':
      return false;
  }
}

/** What a message names. */
interface Told {
  readonly isPriority: boolean;
  readonly word: 'Row' | 'Rule';
  readonly rows: string;
  /** The one row that hides another; null where it takes several. */
  readonly hider: string | null;
  readonly where: string;
}

const messages: Readonly<Record<FindingKind, (told: Told) => string>> = {
  gap: ({ word, where }) =>
    where === '' ? `Inputs that no ${word.toLowerCase()} takes` : `No ${word.toLowerCase()} takes ${where}`,
  shadowed: ({ word, rows, hider, isPriority }) => {
    const others = hider === null ? `${word.toLowerCase()}s` : `${word.toLowerCase()} ${hider}`;
    const which = isPriority ? ' of higher priority' : hider === null ? ' before it' : '';
    return `${word} ${rows} is never reached: ${others}${which} take${hider === null ? '' : 's'} all of its inputs`;
  },
  conflict: ({ word, rows }) => `${word} ${rows} never matches: its own cells exclude each other`,
  overlap: ({ word, rows, where }) => `${word}s ${rows} hold together where ${where}`,
  redundant: ({ word, rows }) =>
    `${word} ${rows} changes nothing: without it, later ${word.toLowerCase()}s give the same results`,
};

const outside = ({ word, rows }: Told): string =>
  `${word} ${rows} never matches: its cells take no value that its inputs may have`;

/** Where only the witness is known to show it. */
function singleMessageOf(kind: 'gap' | 'overlap', { word, rows, where }: Told): string {
  const others = where === anyInput ? '' : ` where ${where}`;
  return kind === 'gap'
    ? `No ${word.toLowerCase()} takes this input; whether there are other such inputs${others} is not known`
    : `${word}s ${rows} hold together for this input; whether they do for others${others} is not known`;
}

/** Rows count from 1 for people. */
const numbersOf = (rows: readonly number[]): string => rows.map((row) => row + 1).join(' and ');
