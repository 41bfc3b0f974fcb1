import Table from 'cli-table3';

/** What is read of Stryker's report (mutation-testing-report-schema). */
export interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

export interface Score {
  readonly file: string;
  /** Noticed by a test that failed or did not end. */
  readonly killed: number;
  readonly survived: number;
  /** No test reaches them; they count as survivors. */
  readonly unreached: number;
  /** Static, or excused by a comment that says why. */
  readonly ignored: number;
}

export function scoresOf({ files }: Report): Score[] {
  return Object.entries(files).map(([file, { mutants }]) => {
    const count = (...statuses: string[]): number => mutants.filter(({ status }) => statuses.includes(status)).length;
    return {
      file,
      killed: count('Killed', 'Timeout', 'RuntimeError'),
      survived: count('Survived'),
      unreached: count('NoCoverage'),
      ignored: count('Ignored'),
    };
  });
}

/** In percent; 100 where there is nothing to notice. */
export function percent(scores: readonly Score[]): number {
  const killed = scores.reduce((sum, score) => sum + score.killed, 0);
  const all = scores.reduce((sum, score) => sum + score.killed + score.survived + score.unreached, 0);
  return all === 0 ? 100 : (100 * killed) / all;
}

/** A line per file, and one for all. */
export function tableOf(scores: readonly Score[]): string {
  const table = new Table({
    head: ['', 'killed', 'survived', 'unreached', 'ignored', 'score'],
    style: { head: [], border: [] },
  });
  const total = { file: 'all', killed: 0, survived: 0, unreached: 0, ignored: 0 };
  for (const score of scores) {
    for (const key of ['killed', 'survived', 'unreached', 'ignored'] as const) total[key] += score[key];
  }
  for (const score of [...scores, total]) {
    const { file, killed, survived, unreached, ignored } = score;
    table.push([file, killed, survived, unreached, ignored, `${percent([score]).toFixed(1)} %`]);
  }
  return table.toString();
}

/** `src/a.ts:12:5 Survived ConditionalExpression: true`, one line per mutant that no test noticed. */
export function survivors({ files }: Report): string[] {
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location: { start }, mutatorName, replacement = '', status }) => {
        const shown = replacement.replace(/\s+/g, ' ').slice(0, 80);
        return `${file}:${start.line}:${start.column} ${status} ${mutatorName}: ${shown}`;
      }),
  );
}
