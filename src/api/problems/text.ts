import { STATUS_CODES } from 'node:http';
import { problems, type ProblemCode } from '../../errors.js';
import { readExplanation } from './explanation.js';
import { exampleOf } from './example.js';

/** The page of a code for a terminal. */
export function problemText(code: ProblemCode): string {
  const { status, title } = problems[code];
  const { when, todo, related } = readExplanation(code);
  return [
    `${code}: ${title}`,
    `HTTP status ${status}`,
    '',
    'When it happens',
    ...when.map((paragraph) => wrapped(paragraph, '  ')),
    '',
    'What to do',
    ...todo.map((step) => wrapped(step, '  - ')),
    '',
    'Example',
    ...exampleLines(code).map((line) => `  ${line}`),
    '',
    `See also: ${related.map((other) => `/problems/${other}`).join('  ')}`,
    'All codes: /problems',
    '',
  ].join('\n');
}

/** The list of codes for a terminal. */
export function indexText(): string {
  const codes = Object.entries(problems);
  const width = Math.max(...codes.map(([code]) => code.length));
  return [
    'What an error code means: GET /problems/<code>',
    '',
    ...codes.map(([code, { status, title }]) => `${status}  ${code.padEnd(width)}  ${title}`),
    '',
  ].join('\n');
}

/** Status line, headers and body of the example, as curl -i shows them, the body indented for people. */
export function exampleLines(code: ProblemCode): string[] {
  const { status } = problems[code];
  const { headers, body } = exampleOf(code);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    ...JSON.stringify(body, null, 2).split('\n'),
  ];
}

const lineLength = 100;

/** Breaks between words; `lead` stands before the first line, and as much space before the others. */
function wrapped(text: string, lead: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && lead.length + line.length + 1 + word.length > lineLength) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, index) => (index === 0 ? lead : ' '.repeat(lead.length)) + line).join('\n');
}
