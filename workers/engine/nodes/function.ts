import { isRecord } from '../../json/index.js';
import { EngineError } from '../errors.js';
import type { Frame } from '../jdm/frame.js';
import { Reader, type Report } from '../jdm/reader.js';
import type { FunctionLog, FunctionReply } from '../sandbox/types.js';
import type { Value } from '../values.js';
import { javascriptData, numberMark } from '../jdm/jsonSize.js';
import { fromJson, toJson } from '../zen/index.js';
import type { CompiledNode, NodeType, TraceSlot } from './nodeType.js';

interface Script {
  readonly source: string;
  readonly version: 1 | 2;
}

/** JavaScript of the author, run by the sandbox that the run was given. */
export const functionNode: NodeType = {
  type: 'functionNode',
  read(content, report) {
    const script = readScript(content, report);
    return { role: 'step', script: true, expressions: () => [], compile: () => compile(script) };
  },
};

function readScript(content: unknown, report: Report): Script {
  if (typeof content === 'string') return { source: content, version: 1 };
  if (isRecord(content)) return { source: new Reader(content, 'content', report).text('source'), version: 2 };
  const message = '`content` must be `{source}` or text.';
  report({ code: 'model_invalid', message, field: 'content', pointer: '/content' });
  return { source: '', version: 2 };
}

function compile(script: Script): CompiledNode {
  const call = async (input: Value, frame: Frame, slot: TraceSlot): Promise<Value> => {
    const { session } = frame;
    const nodes = script.source.includes('$nodes') ? frame.nodes() : undefined;
    const reply = await session.sandbox().call({
      ...script,
      numberMark,
      input: javascriptData(input, session.run),
      ...(nodes === undefined ? {} : { nodes: () => javascriptData(nodes, session.run) }),
      env: Object.fromEntries(Object.entries(session.env).map(([name, value]) => [name, toJson(value)])),
      nodeId: frame.nodeId,
      config: { iteration: frame.depth, maxDepth: session.run.limits.subDecisionDepth, trace: session.traced },
    });
    slot.data = { log: reply.log.map(({ lines, msSinceRun }: FunctionLog) => ({ lines, msSinceRun })) };
    return outputOf(reply);
  };
  return { run: (input, frame) => call(input, frame, { data: undefined, passedOver: [] }), trace: call };
}

function outputOf(reply: FunctionReply): Value {
  if (reply.ok) return fromJson(reply.output);
  throw EngineError.from(reply.diagnostic);
}
