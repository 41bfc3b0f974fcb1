import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type ListToolsResult,
  type Tool,
} from '@modelcontextprotocol/server';
import type { Reply } from '../http/server/response.js';
import { readVisible } from '../http/server/context.js';
import type { ReadSchemas } from '../decisions/programs/schemas.js';
import { Problem } from '../errors.js';
import { textBytes } from '../admission/byteBudget.js';
import { createPause } from '../admission/pause.js';
import { isUuid } from '../storage/ids.js';
import type { DeployedDecision } from './deployed.store.js';
import {
  callDecision,
  callFixed,
  decisionTool,
  executing,
  fixedTools,
  readableSchemas,
  scopeOf,
  type AgentRequest,
  type Operations,
} from './tools.js';

/** Most tools of a page: each may take a thread to read its schemas. */
const pageSize = 50;
/** Characters of schemas from which on a page is full: the protocol's library copies and checks them on the main thread. */
const pageCharacters = 256 * 1024;

interface Offer {
  readonly operations: Operations;
  readonly schemasOf: ReadSchemas;
  /** By the name of the tool. */
  readonly decisions: ReadonlyMap<string, DeployedDecision>;
}

/** Has the SDK answer one message. Rejects with the unforeseen error of a tool. */
export async function answer(request: AgentRequest, offer: Offer): Promise<Reply> {
  const errors: unknown[] = [];
  const server = (): McpServer => serverOf(request, offer, (error) => void errors.push(error));
  const options = { parsedBody: request.body };
  const incoming = webRequest(request);
  let response: Response;
  if (await isLegacyRequest(incoming, request.body)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const one = server();
    await one.connect(transport);
    response = await transport.handleRequest(incoming, options);
    await one.close();
  } else {
    const handler = createMcpHandler(server, { legacy: 'reject', maxSubscriptions: 0 });
    response = await handler.fetch(incoming, options);
    await handler.close();
  }
  const text = await response.text();
  if (errors.length > 0) throw errors[0];
  const { status } = response;
  return text === '' ? { status } : { status, body: text };
}

/** As the SDK reads it; what it needs of the message itself is in `body`. */
function webRequest({ path, header }: AgentRequest): Request {
  const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' });
  for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'] as const) {
    const value = readVisible(name, header(name));
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(new URL(path, 'http://verdict.invalid'), { method: 'POST', headers });
}

/** @param onError told what is no problem of the caller's; the SDK would answer its message */
function serverOf(request: AgentRequest, offer: Offer, onError: (fault: unknown) => void): McpServer {
  const agent = new McpServer(
    { name: 'verdict', title: 'Verdict', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: false } },
      instructions:
        'Each tool but those named below executes a decision. find_executions and explain_execution tell of what was executed; validate_draft checks a model.',
    },
  );
  const guarded = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (error instanceof Problem) {
        const data = error.body(request.path, request.requestId);
        throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, data);
      }
      onError(error);
      throw error;
    }
  };
  const { server } = agent;
  server.setRequestHandler('tools/list', ({ params }) => guarded(() => listTools(request, offer, params?.cursor)));
  server.setRequestHandler('tools/call', ({ params }) => guarded(() => callTool(request, offer, params.name)));
  return agent;
}

async function listTools(
  request: AgentRequest,
  { operations, schemasOf, decisions }: Offer,
  cursor: string | undefined,
): Promise<ListToolsResult> {
  if (cursor !== undefined && !isUuid(cursor))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none of this list.');
  const may = (operationId: string): boolean => request.scopes.has(scopeOf(operations, operationId));
  const all = [...(may(executing) ? decisions : [])].filter(
    ([, { decisionId }]) => cursor === undefined || decisionId > cursor,
  );
  const tools = await readTools(request, schemasOf, all);
  const fixed = fixedTools.filter(({ operationId }) => may(operationId)).map(({ tool }) => tool);
  const last = all[tools.length - 1]?.[1].decisionId;
  return {
    tools: cursor === undefined ? [...(fixed as unknown as ListToolsResult['tools']), ...tools] : tools,
    ...(all.length > tools.length && last !== undefined ? { nextCursor: last } : {}),
  };
}

/**
 * The tools of one page. They are read one after the other, so that the first that is refused ends the work, and others have their
 * turn on the main thread between two of them.
 */
async function readTools(
  request: AgentRequest,
  schemasOf: ReadSchemas,
  decisions: readonly (readonly [string, DeployedDecision])[],
): Promise<Tool[]> {
  const tools: Tool[] = [];
  const pause = createPause();
  let characters = 0;
  for (const [name, decision] of decisions) {
    if (tools.length === pageSize || characters >= pageCharacters || request.gone()) break;
    const schemas = readableSchemas(await schemasOf(versionOf(request, decision), request.reservation));
    request.reservation.grow(textBytes(schemas));
    characters += schemas.length;
    tools.push(decisionTool(name, decision, schemas));
    await pause();
  }
  return tools;
}

const versionOf = ({ workspaceId }: AgentRequest, { decisionId: id, version }: DeployedDecision) => ({
  workspaceId,
  id,
  version,
});

function callTool(request: AgentRequest, { operations, decisions }: Offer, name: string): Promise<CallToolResult> {
  const fixed = fixedTools.find(({ tool }) => tool.name === name);
  if (fixed !== undefined) return callFixed(operations, request, fixed);
  const decision = decisions.get(name);
  if (decision === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}: ask for the list anew.`);
  }
  return callDecision(operations, request, decision);
}
