import type { CallToolResult } from '@modelcontextprotocol/server';
import { formatJson, parseExactly } from '../../workers/models/exactJson.js';
import type { Problem } from '../errors.js';

/** Most characters of a text that an agent's model is given to read. */
const maxTextLength = 100_000;

/** A JSON text as the answer of a tool. A long one is cut, and says so. */
export function answerOf(text: string): CallToolResult {
  if (text.length <= maxTextLength) return { content: [{ type: 'text', text }] };
  return { content: [{ type: 'text', text: cut(text) }] };
}

interface Execution {
  readonly id: string;
  readonly status: string;
  readonly result: unknown;
}

/** The answer of an execution: as text with all digits, and as a value. A long result is in neither. */
export function executionAnswer(body: string): CallToolResult {
  const { id: executionId, status, result } = parseExactly(body) as Execution;
  const isError = status === 'FAILED';
  const head = { executionId, status };
  const text = formatJson({ ...head, result });
  if (text.length > maxTextLength) {
    return { ...answerOf(text), structuredContent: head, isError };
  }
  const plain = JSON.parse(text) as Record<string, unknown>;
  return { content: [{ type: 'text', text }], structuredContent: plain, isError };
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
