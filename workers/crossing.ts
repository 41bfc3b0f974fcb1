import type { BatchAnswer, CrossingAnswer, RunDone, ThreadMessage, ThreadReply, UsualDone } from './protocol.js';

/** An answer as it is to cross. @param message what it answers */
export function packed({ replies, us, alone }: BatchAnswer, message: ThreadMessage): CrossingAnswer {
  return { replies: replies.map((reply, index) => packedReply(reply, bodyAt(message, index))), us, alone };
}

function bodyAt(message: ThreadMessage, index: number): string {
  if ('one' in message) return message.own[index]?.[0] ?? '';
  const task = message[index];
  return task === undefined || 'kind' in task ? '' : task.body;
}

function packedReply(reply: ThreadReply, body: string): ThreadReply | UsualDone {
  if (reply.kind !== 'done' || reply.status !== 'COMPLETED' || reply.factRedacted || reply.recordedResult !== null)
    return reply;
  const { result, trace, engineUs, recordedFact } = reply;
  const start = body.indexOf(recordedFact);
  return start === -1 ? reply : [result, trace, engineUs, start, start + recordedFact.length];
}

/** A reply as it was before it crossed. @param body of its task */
export function unpacked(reply: ThreadReply | UsualDone, body: string): ThreadReply {
  if (!isUsual(reply)) return reply;
  const [result, trace, engineUs, start, end] = reply;
  return {
    kind: 'done',
    status: 'COMPLETED',
    result,
    trace,
    engineUs,
    error: null,
    recordedFact: body.slice(start, end),
    recordedResult: null,
    factRedacted: false,
  } satisfies RunDone;
}

const isUsual = (reply: ThreadReply | UsualDone): reply is UsualDone => Array.isArray(reply);
