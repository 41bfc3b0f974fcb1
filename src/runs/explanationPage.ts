import type { ShownFields, Step } from '../../workers/models/index.js';
import type { Reply } from '../http/server/response.js';
import { fieldList, html, namedValues, printedReply, timeText, type Html } from '../api/printed.js';
import type { Explanation, InexactReason } from './explanation.js';
import type { WholeExecution } from './history.store.js';

/** An execution with all that a page tells of it. */
export interface ExplainedExecution {
  readonly record: WholeExecution;
  /** The decision's key, and the environment's name; their ids where they are gone. */
  readonly decision: string;
  readonly environment: string;
  /** Who asked, as people call them. */
  readonly who: string;
  readonly explanation: Explanation;
  readonly result: ShownFields | undefined;
  readonly fact: ShownFields | undefined;
  readonly steps: readonly Step[];
  readonly left: number;
}

const because: Readonly<Record<InexactReason, string>> = {
  altered: 'The record is not the one that was made: somebody has changed it since.',
  erased: 'What was recorded was erased for good.',
  facts_not_recorded: 'The fact was not recorded.',
  fact_redacted: 'The fact held a secret, which is not recorded.',
  http: 'The decision asked another host, which is not asked again.',
  configuration_gone: 'The variables of that time are gone.',
  program_gone: 'The model of that time is gone.',
  engine_changed: "Today's engine gives another result.",
  limit: 'A limit of time, memory or size ended the run, then or now.',
};

/** An execution explained on paper. */
export function explanationPage(explained: ExplainedExecution): Reply {
  const { record, decision, environment, who, explanation, result, fact, steps, left } = explained;
  const { exact, reasons } = explanation;
  const told = reasonsIn(steps);
  const inexact = exact
    ? []
    : [html`<p class="mark">Not exact. ${reasons.map((reason) => because[reason]).join(' ')}</p>`];
  const body = html`<h1>How it was decided</h1>
    <p class="under">${decision}, version ${record.version}, in ${environment}, on ${timeText(record.createdAt)}</p>
    ${inexact}
    <h2>Result</h2>
    ${result === undefined ? html`<p>None can be shown.</p>` : fieldList(result)}
    ${
      told.length === 0
        ? []
        : [
            html`<h2>Reasons</h2>
              <ul class="reasons">
                ${told}
              </ul>`,
          ]
    }
    ${
      steps.length === 0
        ? []
        : [
            html`<h2>How it came about</h2>
              ${stepList(steps)}`,
          ]
    }
    ${left === 0 ? [] : [html`<p>and ${left} more steps</p>`]}
    ${
      fact === undefined
        ? []
        : [
            html`<h2>What was known</h2>
              ${fieldList(fact)}`,
          ]
    }
    <h2>Record</h2>
    ${namedValues([
      ['Execution', record.id],
      ['Reference', record.reference],
      ['Status', record.status === 'COMPLETED' ? 'completed' : 'failed'],
      ['Asked by', who],
      ['Decision', record.decisionId],
      ['Environment', record.environmentId],
      ['Deployment', record.deploymentId],
      ['Explanation', exact ? 'run again, with the same result byte for byte' : 'not exact'],
    ])}`;
  return printedReply(`${decision}: how it was decided`, body);
}

const stepList = (steps: readonly Step[]): Html =>
  html`<ol>
    ${steps.map(stepItem)}
  </ol>`;

const stepItem = ({ node, sentences, inside }: Step): Html => {
  const [first = '', ...more] = sentences;
  const rest =
    more.length === 0
      ? []
      : [
          html`<ul>
            ${more.map((sentence) => html`<li>${inPlainWords(sentence)}</li>`)}
          </ul>`,
        ];
  return html`<li><em>${node}</em> ${inPlainWords(first)}${rest}${inside.length === 0 ? [] : [stepList(inside)]}</li>`;
};

const dateOrField = String.raw`\b(?:d|date)\((?:"([^"]*)"|'([^']*)')\)(?: \("\1\2[^"]*"\))?|\$root\[(?:"([^"]*)"|'([^']*)')\]`;
const code = new RegExp(dateOrField, 'g');
// What a run was given stands in quotes of its own, and stays; a date is told once, and not its moment again.
const codeOrGiven = new RegExp(`“[^”]*”|${dateOrField}`, 'g');

/** Fields by their names and dates as dates: `$root["Loan amount"]` and `d("2026-04-01")` are for the engine. */
export function inPlainWords(sentence: string): string {
  // Nothing closes a quote behind the last one that closes: from each of them the rest would be read in vain.
  const closed = sentence.lastIndexOf('”') + 1;
  const plain = (part: string, pattern: RegExp): string =>
    part.replaceAll(
      pattern,
      (found, date?: string, other?: string, field?: string, again?: string) =>
        date ?? other ?? field ?? again ?? found,
    );
  return plain(sentence.slice(0, closed), codeOrGiven) + plain(sentence.slice(closed), code);
}

/** What the model says of the ways that were taken, in their order. */
const reasonsIn = (steps: readonly Step[]): Html[] =>
  steps.flatMap(({ reasons, inside }) => [
    ...reasons.map(({ text, language }) => html`<li lang="${language}">${text}</li>`),
    ...reasonsIn(inside),
  ]);
