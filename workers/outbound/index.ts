// The public entry of calls to the outside: function nodes, webhooks and gateways use the same guard.
export { isPublicAddress } from './address.js';
export { cleanHeaders } from './headers.js';
export { OutboundRefused, checkTarget, type OutboundPolicy } from './policy.js';
export { outboundRequest, type OutboundMethod } from './request.js';
