import type { OutboundRequest, OutboundResponse } from './request.js';

// The public entry of calls to the outside: function nodes, webhooks and gateways use the same guard.
export { isPublicAddress } from './address.js';
export { cleanHeaders } from './headers.js';
export { addressesOf, newResolver } from './names.js';
export { OutboundRefused, checkTarget, type OutboundPolicy } from './policy.js';
export type { OutboundMethod } from './request.js';

/** As `request.ts` has it. The HTTP client is loaded with the first call: a server that calls nobody starts sooner. */
export async function outboundRequest(call: OutboundRequest): Promise<OutboundResponse> {
  return (await import('./request.js')).outboundRequest(call);
}
