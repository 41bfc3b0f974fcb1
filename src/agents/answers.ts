import type { CallToolResult } from '@modelcontextprotocol/server';
import { formatJson, parseExactly } from '../../workers/json/index.js';
import type { Problem } from '../errors.js';

/** Most characters of a text that an agent's model is given to read. */
const maxTextLength = 100_000;

/** A JSON text as the answer of a tool. A long one is cut, and says so. */
export const answerOf = (text: string): CallToolResult => ({ content: [{ type: 'text', text: cut(text) }] });

interface Execution {
  readonly id: string;
  readonly status: string;
  readonly result: unknown;
}

/** What the API's answer to an execution begins with: `executionBody` writes it. */
const beginning = /^\{"id":"([^"]*)","decisionId":"[^"]*","status":"([A-Z]*)","result":/;

/**
 * The answer of an execution: as text with all digits, and as a value. A long result is in neither: its text is cut before it is
 * parsed, since that would take the main thread for seconds.
 */
export function executionAnswer(body: string): CallToolResult {
  if (body.length > maxTextLength) return longAnswer(body);
  const { id: executionId, status, result } = parseExactly(body) as Execution;
  const text = formatJson({ executionId, status, result });
  const structuredContent = JSON.parse(text) as Record<string, unknown>;
  return { ...answerOf(text), structuredContent, isError: status === 'FAILED' };
}

function longAnswer(body: string): CallToolResult {
  const [head, executionId, status] = beginning.exec(body) ?? [];
  if (head === undefined) throw new Error('an execution is answered in another form');
  const named = { executionId, status };
  const text = cut(`${JSON.stringify(named).slice(0, -1)},"result":${body.slice(head.length)}`);
  return { content: [{ type: 'text', text }], structuredContent: named, isError: status === 'FAILED' };
}

/** A problem of the API as the answer of a tool: its model reads what was wrong, and what was expected. */
export const problemAnswer = (problem: Problem, path: string, requestId: string): CallToolResult => ({
  content: [{ type: 'text', text: cut(JSON.stringify(problem.body(path, requestId))) }],
  isError: true,
});

function cut(text: string): string {
  if (text.length <= maxTextLength) return text;
  return `${text.slice(0, maxTextLength)}\n… cut: ${maxTextLength} of ${text.length} characters.`;
}
