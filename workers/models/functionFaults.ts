import type { Diagnostic, Sandbox } from '../engine/index.js';
import { isRecord } from '../json/index.js';
import type { CheckAnswer } from './tasks.js';

/**
 * The answer of a check with a warning of each function that does not parse, which the reference finds out when it runs. Functions that
 * are not read by the deadline, in milliseconds of `performance.now()`, have none.
 */
export async function withFunctionFaults(
  answer: CheckAnswer,
  { sandbox, deadline }: { readonly sandbox: Sandbox; readonly deadline: number },
): Promise<CheckAnswer> {
  const text = Buffer.from(answer.document?.text ?? []);
  if (!text.includes('"functionNode"')) return answer;
  const isOver = (): boolean => performance.now() > deadline;
  const found: Diagnostic[] = [];
  for (const [at, node] of nodesOf(JSON.parse(text.toString())).entries()) {
    const content = isRecord(node) && node['type'] === 'functionNode' ? node['content'] : undefined;
    const source = isRecord(content) ? content['source'] : content;
    if (!isRecord(node) || typeof source !== 'string' || isOver()) continue;
    const version = isRecord(content) ? 2 : 1;
    const { message, ...fault } = (await sandbox.faultOf({ source, version }, isOver)) ?? {};
    if (message === undefined) continue;
    found.push({
      ...fault,
      ...{ code: 'syntax_error', severity: 'warning', field: 'source' },
      message: `the function does not parse, so that each run of it fails: ${message}`,
      nodeId: String(node['id']),
      nodeName: String(node['name']),
      pointer: `/nodes/${at}/content${version === 2 ? '/source' : ''}`,
    });
  }
  return { ...answer, check: { ...answer.check, diagnostics: [...answer.check.diagnostics, ...found] } };
}

const nodesOf = (model: unknown): readonly unknown[] =>
  isRecord(model) && Array.isArray(model['nodes']) ? (model['nodes'] as unknown[]) : [];
