import { createHash } from 'node:crypto';
import type { Bundle, Configuration, RunTask } from '../../workers/protocol.js';

/** A node of a model under test. */
export interface TestNode {
  readonly type: string;
  readonly content?: unknown;
  readonly name?: string;
}

/** A model of an input node and the given nodes, one after the other. */
export function chain(...nodes: readonly TestNode[]): object {
  const all = [{ type: 'inputNode', name: 'input' }, ...nodes].map((node, index) => ({
    id: `n${index}`,
    name: `node ${index}`,
    ...node,
  }));
  const edges = all
    .slice(1)
    .map((_node, index) => ({ id: `e${index}`, sourceId: `n${index}`, targetId: `n${index + 1}` }));
  return { nodes: all, edges };
}

/** An expression node. */
export function expressions(values: Readonly<Record<string, string>>): TestNode {
  const list = Object.entries(values).map(([key, value], index) => ({ id: `x${index}`, key, value }));
  return { type: 'expressionNode', content: { expressions: list } };
}

/** A function node, version 2. */
export const script = (source: string): TestNode => ({ type: 'functionNode', content: { source } });

export const decision = (key: string): TestNode => ({ type: 'decisionNode', content: { key } });

/** The program of a model and of the sub-decisions that any of them may name. */
export function programOf(
  model: object,
  subDecisions: Readonly<Record<string, object>> = {},
): { id: string; bundle: string } {
  const names = Object.keys(subDecisions);
  const links = Object.fromEntries(names.map((name, index) => [name, index + 1]));
  const models = [model, ...Object.values(subDecisions)];
  const manifest = { entries: models.map((_model, index) => ({ content: `content ${index}`, links })) };
  const contents = Object.fromEntries(models.map((each, index) => [`content ${index}`, JSON.stringify(each)]));
  const bundle = JSON.stringify({ manifest, contents } satisfies Bundle);
  return { id: createHash('sha256').update(bundle).digest('hex'), bundle };
}

export interface TaskParts {
  readonly fact?: unknown;
  readonly body?: string;
  readonly traced?: RunTask['traced'];
  readonly clock?: number;
  readonly seed?: number;
  readonly withoutHttp?: true;
  readonly timeoutMs?: number;
  readonly configuration?: Partial<Configuration>;
  readonly subDecisions?: Readonly<Record<string, object>>;
}

/** A task that lacks nothing. */
export function taskOf(model: object, parts: TaskParts = {}): RunTask {
  const { fact = {}, traced = false, timeoutMs = 100_000, subDecisions = {} } = parts;
  const { id, bundle } = programOf(model, subDecisions);
  const configuration = { variables: {}, secrets: [], httpHosts: [], ...parts.configuration } satisfies Configuration;
  const text = JSON.stringify(configuration);
  return {
    programId: id,
    workspaceId: 'w',
    bundle,
    configurationId: parts.configuration === undefined ? '' : text,
    ...(parts.configuration === undefined ? {} : { configuration: text }),
    body: parts.body ?? JSON.stringify({ fact }),
    traced,
    clock: parts.clock ?? Date.now(),
    seed: parts.seed ?? 1,
    timeoutMs,
    ...(parts.withoutHttp === undefined ? {} : { withoutHttp: parts.withoutHttp }),
  };
}
