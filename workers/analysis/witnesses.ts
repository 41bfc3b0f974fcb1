import type { Program, Value } from '../engine/index.js';
import type { Deadline } from './deadline.js';
import type { Box } from './cover.js';
import { describeRegion, pointIn, type Finding, type FindingKind, type TableFindings } from './findings.js';
import type { ReportedFinding, Witness } from './report.js';
import { rowElement, type Explored } from './search.js';
import { ruleIdOf, type TableNode } from './tableNodes.js';
import type { Dimension } from './dimension.js';
import { factOf, inputOf, rowsIn, runOn, tableProgram } from './witness.js';

/** Has the engine run what is claimed of one table, before it is told. */
export class TableWitnesses {
  readonly #node: TableNode;
  readonly #found: TableFindings;
  readonly #program: Program | null;
  readonly #explored: readonly Explored[];
  readonly #alone: Program;
  readonly #reached: ReadonlySet<string>;
  readonly #until: Deadline;
  #unconfirmed = 0;

  constructor({ node, found, program, explored, reached, until }: WitnessSources) {
    this.#node = node;
    this.#found = found;
    this.#program = program;
    this.#explored = explored;
    this.#reached = reached;
    this.#until = until;
    this.#alone = tableProgram(node.content);
  }

  /** How often the engine did not show what was proved. */
  get unconfirmed(): number {
    return this.#unconfirmed;
  }

  async report(finding: Finding): Promise<ReportedFinding> {
    const { kind, rows, region } = finding;
    const rules = rows.map((row) => ruleIdOf(this.#node.table, row));
    const witness =
      region === null ? null : await this.#witness(region, (seen) => shows(finding, seen), this.#isSure(finding));
    const where = region === null ? '' : describeRegion(this.#found.boxes, region);
    const message = messageOf(kind, rows, where);
    const isWrong = (kind === 'shadowed' || kind === 'conflict') && rows.some((row) => this.#isReached(row));
    if (kind === 'conflict' && !isWrong) return { kind, rules, status: 'proved', witness: null, message };
    const reason = finding.reason ?? 'no input could be made that shows it';
    if (witness !== null && !isWrong && finding.isProved) return { kind, rules, status: 'proved', witness, message };
    // The one input shows that there is a gap or an overlap, and not how far it goes.
    if (witness !== null && (kind === 'gap' || kind === 'overlap'))
      return { kind, rules, status: 'proved', witness, message: `${singleMessageOf(kind, rows, where)}, as ${reason}` };
    return { kind, rules, status: 'unknown', witness: null, message: `${message}: not decided, as ${reason}` };
  }

  /** Whether every input of the region shows it: rows that are not exact may take some that a redundant row would. */
  #isSure({ kind, rows, isProved }: Finding): boolean {
    return isProved && (kind !== 'redundant' || rows.every((row) => this.#found.regions[row] !== null));
  }

  #isReached(row: number): boolean {
    return this.#reached.has(rowElement(this.#node.id, row));
  }

  /** A finding for which the report has no room. */
  untold({ kind, rows }: Finding): ReportedFinding {
    const rules = rows.map((row) => ruleIdOf(this.#node.table, row));
    return {
      kind,
      rules,
      status: 'unknown',
      witness: null,
      message: 'The report has too many findings to show this one',
    };
  }

  async #witness(region: Box, isShown: (rows: readonly number[]) => boolean, isSure: boolean): Promise<Witness | null> {
    return (
      (await this.#ofFact(region, isShown)) ??
      this.#ofExplored(region, isShown) ??
      (await this.#ofNode(region, isShown, isSure))
    );
  }

  /** The table's fields set in a fact of the decision. */
  async #ofFact(region: Box, isShown: (rows: readonly number[]) => boolean): Promise<Witness | null> {
    const fact = factOf(...this.#pointIn(region));
    if (fact === undefined || this.#program === null) return null;
    const seen = await runOn(this.#program, fact, this.#until);
    return seen === undefined ? null : this.#shown({ fact, ...seen }, region, isShown);
  }

  /** A fact that was found otherwise. */
  #ofExplored(region: Box, isShown: (rows: readonly number[]) => boolean): Witness | null {
    for (const each of this.#explored) {
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
    const node = Object.hasOwn(trace, this.#node.id) ? trace[this.#node.id] : undefined;
    const input = node?.input ?? null;
    if (node === undefined || !isShown(rowsIn(node.traceData ?? null)) || !this.#isIn(region, input)) return null;
    return { fact, input, result };
  }

  #isIn(region: Box, input: Value): boolean {
    const { inputField, executionMode } = this.#node.content;
    if (executionMode === 'loop' || (typeof inputField === 'string' && inputField.trim() !== '')) return false;
    return this.#found.boxes.dimensions.every((dimension, index) => dimension.isIn(input, region[index] ?? []));
  }

  /** An input of the node alone. */
  async #ofNode(region: Box, isShown: (rows: readonly number[]) => boolean, isSure: boolean): Promise<Witness | null> {
    const input = inputOf(...this.#pointIn(region));
    const seen = input === undefined ? undefined : await runOn(this.#alone, input, this.#until);
    if (input === undefined || seen === undefined) return null;
    if (!isShown(rowsIn(seen.trace['table']?.traceData ?? null))) {
      if (isSure) this.#unconfirmed++;
      return null;
    }
    return { fact: null, input, result: seen.result };
  }

  #pointIn(region: Box): [readonly Dimension[], readonly (number | null)[]] {
    return [this.#found.boxes.dimensions, pointIn(this.#found.boxes, region)];
  }
}

interface WitnessSources {
  readonly node: TableNode;
  readonly found: TableFindings;
  readonly program: Program | null;
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

const messages: Readonly<Record<FindingKind, (rows: string, where: string) => string>> = {
  gap: (_, where) => `No row takes ${where}`,
  shadowed: (rows) => `Row ${rows} is never reached: rows before it take all of its inputs`,
  conflict: (rows) => `Row ${rows} never matches: its own cells exclude each other`,
  overlap: (rows, where) => `Rows ${rows} hold together where ${where}`,
  redundant: (rows) => `Row ${rows} changes nothing: without it, later rows give the same results`,
};

/** Where only the witness is known to show it. */
function singleMessageOf(kind: 'gap' | 'overlap', rows: readonly number[], where: string): string {
  const what = kind === 'gap' ? 'No row takes this input' : `Rows ${numbersOf(rows)} hold together for this input`;
  return `${what}; it is not decided for which others where ${where}`;
}

/** Rows count from 1 for people. */
const numbersOf = (rows: readonly number[]): string => rows.map((row) => row + 1).join(' and ');

const messageOf = (kind: FindingKind, rows: readonly number[], where: string): string =>
  messages[kind](numbersOf(rows), where);
