import { userInfo } from 'node:os';
import type { CommandResult } from './cli.js';

/**
 * A transcript is a text of command lines (`$ environment list`), each with what it writes: standard output as it stands,
 * standard error after `! `, and `exit N` where it is not 0. `$ [NAME] …` gives a name to the first id that is new in the
 * output; later lines say `NAME` in its place. Lines that begin with `@` are steps of the test's own, such as an execution.
 */
export interface TranscriptSteps {
  /** Runs a command line. */
  readonly run: (args: readonly string[]) => Promise<CommandResult>;
  /** Does what an `@` line says; may give an id a name. */
  readonly act: (words: readonly string[], name: (name: string, id: string) => void) => Promise<void>;
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Runs the lines of a transcript again and gives the transcript as it is now. What differs from run to run is replaced by
 * texts of the same length, so that tables keep their widths.
 * @param known names of ids that are there before
 */
export async function replayTranscript(
  text: string,
  known: Readonly<Record<string, string>>,
  { run, act }: TranscriptSteps,
): Promise<string> {
  const ids = new Map(Object.entries(known));
  const name = (word: string, id: string): void => void ids.set(word, id);
  const given = (word: string): string => word.replaceAll(/\b[A-Z][A-Z0-9]*\b/g, (each) => ids.get(each) ?? each);
  const written: string[] = [];
  for (const line of text.split('\n').filter((each) => /^([$@#]|$)/.test(each))) {
    if (line !== '' || written.at(-1) !== '') written.push(line);
    if (line.startsWith('@')) await act(wordsOf(line.slice(1)).map(given), name);
    if (!line.startsWith('$')) continue;
    const [, named, command = ''] = /^\$ (?:\[(\w+)\] )?(.*)$/.exec(line) ?? [];
    const { exit, stdout, stderr } = await run(wordsOf(command).map(given));
    const fresh = stdout.match(uuid)?.find((id) => ![...ids.values()].includes(id));
    if (named !== undefined && fresh !== undefined) name(named, fresh);
    if (exit !== 0) written.push(`exit ${exit}`);
    written.push(...shown(masked(stdout, ids), ''), ...shown(masked(stderr, ids), '! '));
  }
  return `${written.join('\n').trimEnd()}\n`;
}

/** Words of a line, as a shell would split them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain ?? '');

const dayMs = 86_400_000;

function masked(text: string, ids: ReadonlyMap<string, string>): string {
  const names = new Map([...ids].map(([word, id]) => [id, word]));
  const replaced = text
    .replaceAll(uuid, (id) => (names.get(id) ?? 'id').padEnd(id.length, '.'))
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
      Math.abs(Date.parse(time) - Date.now()) < 40 * dayMs ? 'yyyy-mm-ddThh:mm:ss.mmmZ' : time,
    )
    .replaceAll(/whsec_[\w+/]{43}=/g, (secret) => 'whsec_'.padEnd(secret.length, '.'))
    .replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, (secret) => 'secret'.padEnd(secret.length, '.'))
    .replaceAll(/(?<=(digest|kid|key)"?:? +"?)[\w-]{40,}/g, (digest) => 'digest'.padEnd(digest.length, '.'))
    .replaceAll(/(?<=\/inquiries\/)[\w-]{24}/g, (link) => 'link'.padEnd(link.length, '.'))
    .replaceAll(/(?<=(--after |"(after|before)": "))[\w-]{22}/g, (cursor) => 'cursor'.padEnd(cursor.length, '.'))
    .replaceAll(/("p[59][09]": )[\d.]+/g, '$1…')
    .replaceAll(/│ p[59][09] .*/g, '│ p50 and p99 │')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://server');
  const user = `operator:${userInfo().username}`;
  if (!/\d(\.\d+)?ms/.test(replaced) && !replaced.includes(user)) return replaced;
  // These have other lengths elsewhere, and with them all that stands around them.
  return replaced
    .replaceAll(/\d+(\.\d+)?ms/g, '…ms')
    .replaceAll(user, 'operator:…')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/─+/g, '─');
}

const shown = (text: string, mark: string): string[] =>
  text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        // A line that begins with one of the marks of this format would be taken for a step.
        .map((line) => `${mark === '' ? '  ' : mark}${line}`.trimEnd());
