/* eslint max-lines: ["error", { "max": 650 }] -- one pure table: an entry for every code of errors.ts */
import type { ProblemCode } from '../../errors.js';
import type { Explanation } from './explanation.js';
import { explanationsOfChanges } from './explanationsOfChanges.js';

const environments = '/logic/environments';
const environment = '/logic/environments/01934f5e-7a10-7b52-8d44-0f6e2c9b7a02';
const deployments = '/logic/deployments';
const deployment = '/logic/deployments/01934f5e-7a30-7d07-b618-9e2a5c7f0d04';
const decision = '/logic/decisions/01934f5e-7a20-7e91-a5c7-3d8f1b6e4c03';
const evaluations = `${decision}/evaluations`;
const executions =
  '/logic/01934f5e-7a10-7b52-8d44-0f6e2c9b7a02/decisions/01934f5e-7a20-7e91-a5c7-3d8f1b6e4c03/executions';
const replay = '/logic/replays/01934f5e-7a60-7d33-8b17-2e5a9c0f4d07';
const shadow = '/logic/shadows/01934f5e-7a60-7d33-8b17-2e5a9c0f4d07';
const monitor = '/logic/monitors/01934f5e-7a60-7d33-8b17-2e5a9c0f4d07';
const inquiry = '/fuse/v2/inquiries/01934f5e-7a50-7f1c-8e27-4b9d0a6c3e06';
const clients = '/core/v1/clients';
const client = `${clients}/01934f5e-7a70-7f1c-8e27-4b9d0a6c3e07`;
const workspace = '/core/v1/workspaces/01934f5e-7a00-7c3d-9f21-5b0c8e4d1a01';
const executionId = '01934f5e-7a40-7a6f-9b03-6c1d4e8f2b05';

const notAgain = 'Do not send the same request again: it would be refused again.';
const quoteRequestId = 'If it goes on, tell the operator the `requestId`: it is in the log line of this request.';

export const explanations = {
  malformed_json: {
    when: [
      'The body is empty, is not JSON, is not valid UTF-8, ended before its announced length, could not be decompressed, ' +
        'or nests more than 64 levels deep.',
    ],
    todo: ['Send one JSON object, in UTF-8. `detail` says what was found.', notAgain],
    example: { instance: environments, detail: 'The body is not JSON: Unexpected end of JSON input.' },
    related: ['validation_failed', 'unsupported_media_type', 'body_too_large'],
  },
  validation_failed: {
    when: [
      'The request could be read, but breaks what the operation takes: a field is missing, unknown, or of another form; ' +
        'a PATCH holds no field that can be changed; an id in the path is no UUID; `size`, `after` or `before` is not ' +
        'valid, or both cursors are there; the Idempotency-Key is not 1 to 255 visible ASCII characters.',
      'Texts with a NUL or half a surrogate pair, numbers beyond the range of a double and the name `__proto__` are ' +
        'refused with this code too, in facts as well.',
    ],
    todo: [
      'Read `errors`: it lists every violation, not just the first. `in` says where, `pointer` is a JSON Pointer into ' +
        'the body or the name of a parameter or header.',
      'Correct the request. What each operation takes is in the API documentation at /docs.',
    ],
    example: {
      instance: environments,
      detail: 'The body breaks its schema.',
      options: {
        errors: [
          { in: 'body', pointer: '/colour', message: 'is not a known field' },
          {
            in: 'body',
            pointer: '/name',
            message: 'must have 1 to 255 characters besides surrounding white space',
          },
        ],
      },
    },
    related: ['malformed_json', 'reference_not_found', 'workspace_header_invalid'],
  },
  workspace_header_invalid: {
    when: ['The header X-Workspace-Id is missing, was sent twice, or is not a UUID.'],
    todo: [
      "Send `X-Workspace-Id: <the workspace's id>` with every request below /logic. Who gave you the client knows the id.",
    ],
    example: {
      instance: environments,
      detail: 'The header X-Workspace-Id must name the workspace by its UUID.',
      options: { errors: [{ in: 'header', pointer: 'X-Workspace-Id', message: 'is required' }] },
    },
    related: ['forbidden', 'validation_failed'],
  },
  unauthorized: {
    when: [
      'No credentials came with the request, or they are not good: the access token has expired, is malformed, is signed ' +
        'with an unknown key or made for another service; the client was disabled; the secret is wrong.',
    ],
    todo: [
      'Get a new access token (POST /core/oauth2/token) and send the request once more. Tokens live as long as ' +
        '`expires_in` says: get the next one a little before that.',
      'The header WWW-Authenticate says which kind of credentials is wanted, and what was wrong with those that came.',
      'When a fresh token is refused too, stop: the client has been disabled, or the token is addressed to another service.',
    ],
    example: {
      instance: environments,
      detail: 'The access token has expired.',
      options: {
        headers: {
          'WWW-Authenticate':
            'Bearer realm="verdict", error="invalid_token", error_description="The access token has expired."',
        },
      },
    },
    related: ['forbidden', 'insufficient_scope', 'too_many_requests'],
  },
  forbidden: {
    when: [
      'The credentials are good, but give no access to this workspace: it was not granted to the client, no policy lets ' +
        'the end user in, it belongs to another tenant, or there is no such workspace. The answer is the same for all of ' +
        'them, so that nobody can find out which workspaces exist.',
      'An end user who asks for inquiries, or for clients, workspaces and policies, gets it too: those are for clients.',
    ],
    todo: [
      'Compare X-Workspace-Id with the id that you were given.',
      'Ask for the grant (`verdict client grant`) or the policy (`verdict policy set`). It counts within 5 seconds.',
    ],
    example: { instance: environments, detail: 'The principal has no access to this workspace.' },
    related: ['insufficient_scope', 'unauthorized', 'workspace_header_invalid'],
  },
  insufficient_scope: {
    when: ['The workspace is yours to use, but the token does not hold the one scope that this operation needs.'],
    todo: [
      'Read the scope from the header WWW-Authenticate, and ask for a token with it: omit `scope` at the token endpoint ' +
        'to get all that the client may have.',
      "If the client may not have it, the operator makes a client that does; an end user's scopes follow from policies.",
    ],
    example: {
      instance: environments,
      detail: 'This operation needs the scope environment:write.',
      options: {
        headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="environment:write"' },
      },
    },
    related: ['forbidden', 'unauthorized'],
  },
  exceeds_own_rights: {
    when: [
      'A client gives at most what it has itself: the scopes of its token, its workspaces and resources, its time and its ' +
        'limit. A change of a client that adds anything to it counts as giving all that the client then has, and so does ' +
        'a new secret for it. To remove a policy that denies is to give what it denies.',
      'A workspace that is renamed, or whose policies are read or written, must be granted to the client that asks.',
    ],
    todo: [
      '`errors` lists each right that is not yours to give. Leave it out, or ask a client that has it.',
      'A token that was asked for with a part of the scopes, or a role, has that part alone to give.',
    ],
    example: {
      instance: clients,
      detail: 'A client gives at most what it has itself.',
      options: { errors: [{ in: 'body', pointer: '/scopes/1', message: 'audit:read is not yours to give' }] },
    },
    related: ['insufficient_scope', 'forbidden', 'last_client_writer'],
  },
  route_not_found: {
    when: ['Nothing is at this path. Paths are exact: upper case and a slash at the end make another path.'],
    todo: ['Compare the path with the API documentation at /docs.', notAgain],
    example: { instance: '/logic/environment', detail: 'There is nothing at this path.' },
    related: ['method_not_allowed'],
  },
  environment_not_found: {
    when: ['The workspace has no environment of that id: it was deleted, or belongs to another workspace.'],
    todo: ['Compare the id and X-Workspace-Id. GET /logic/environments lists what there is.', notAgain],
    example: {
      instance: environment,
      detail: 'There is no environment 01934f5e-7a10-7b52-8d44-0f6e2c9b7a02 in this workspace.',
    },
    related: ['routing_not_found', 'reference_not_found'],
  },
  deployment_not_found: {
    when: ['The workspace has no deployment of that id: it was deleted, or belongs to another workspace.'],
    todo: ['Compare the id and X-Workspace-Id. GET /logic/deployments lists what there is.', notAgain],
    example: {
      instance: deployment,
      detail: 'There is no deployment 01934f5e-7a30-7d07-b618-9e2a5c7f0d04 in this workspace.',
    },
    related: ['routing_not_found', 'reference_not_found'],
  },
  decision_not_found: {
    when: ['The workspace has no decision of that id.'],
    todo: ['Compare the id and X-Workspace-Id. GET /logic/decisions lists what there is.', notAgain],
    example: {
      instance: evaluations,
      detail: 'There is no decision 01934f5e-7a20-7e91-a5c7-3d8f1b6e4c03 in this workspace.',
    },
    related: ['version_not_found', 'reference_not_found'],
  },
  version_not_found: {
    when: [
      'The decision is there, but has no saved version of that number. Version 0, the working copy, always exists.',
    ],
    todo: ['GET …/versions lists the versions, and POST there makes the next one.', notAgain],
    example: {
      instance: evaluations,
      detail: 'Decision 01934f5e-7a20-7e91-a5c7-3d8f1b6e4c03 has no version 7.',
    },
    related: ['decision_not_found', 'reference_not_found'],
  },
  node_not_found: {
    when: ['The version is there, but its model has no node of that id, or the node is no decision table.'],
    todo: ['GET …/versions/{version} shows the model with the ids of its nodes.', notAgain],
    example: {
      instance: `${decision}/versions/0/tables/rates.xlsx`,
      detail: 'The model has no decision table with the id "rates".',
    },
    related: ['version_not_found', 'decision_not_found'],
  },
  routing_not_found: {
    when: [
      'Environment and decision exist, but no deployment brings the decision to this environment: there never was one, ' +
        'the last one was deleted, or it was deleted while this request ran. Nothing is recorded then.',
    ],
    todo: [
      'Deploy a version: POST /logic/deployments. The process that answered that request uses it at once, others within ' +
        'a second.',
    ],
    example: { instance: executions, detail: 'The decision is not deployed to this environment.' },
    related: ['environment_not_found', 'decision_not_found'],
  },
  execution_not_found: {
    when: ['The workspace has no recorded execution of that id; evaluations are not among them.'],
    todo: ['Compare the id and the workspace. Old records may have been pruned by the operator.', notAgain],
    example: {
      instance: `/logic/executions/${executionId}`,
      detail: `There is no execution ${executionId} in this workspace.`,
    },
    related: ['forbidden'],
  },
  replay_not_found: {
    when: ['The workspace has no replay of that id. One that was removed is not found either.'],
    todo: ['Compare the id and the workspace: `GET /logic/replays` lists the replays.', notAgain],
    example: { instance: replay, detail: 'There is no replay 01934f5e-7a60-7d33-8b17-2e5a9c0f4d07 in this workspace.' },
    related: ['shadow_not_found', 'execution_not_found'],
  },
  shadow_not_found: {
    when: ['The workspace has no shadow of that id. One that was removed is not found either.'],
    todo: ['Compare the id and the workspace: `GET /logic/shadows` lists the shadows.', notAgain],
    example: { instance: shadow, detail: 'There is no shadow 01934f5e-7a60-7d33-8b17-2e5a9c0f4d07 in this workspace.' },
    related: ['replay_not_found'],
  },
  monitor_not_found: {
    when: [
      'The workspace has no monitor of that id. One that was removed, or whose environment was, is not found either.',
    ],
    todo: ['Compare the id and the workspace: `GET /logic/monitors` lists the monitors.', notAgain],
    example: {
      instance: monitor,
      detail: 'There is no monitor 01934f5e-7a60-7d33-8b17-2e5a9c0f4d07 in this workspace.',
    },
    related: ['environment_not_found'],
  },
  inquiry_not_found: {
    when: ["The client's tenant has no inquiry of that id."],
    todo: ['Compare the id, and whether the client is of the tenant that owns the inquiry.', notAgain],
    example: { instance: inquiry, detail: 'There is no inquiry 01934f5e-7a50-7f1c-8e27-4b9d0a6c3e06.' },
    related: ['prerequisite_not_found', 'forbidden'],
  },
  client_not_found: {
    when: ["The client's own tenant has no client of that id."],
    todo: ['Take the id from `GET /core/v1/clients`.', notAgain],
    example: { instance: client, detail: 'There is no client 01934f5e-7a70-7f1c-8e27-4b9d0a6c3e07.' },
    related: ['exceeds_own_rights'],
  },
  workspace_not_found: {
    when: ["The client's own tenant has no workspace of that id."],
    todo: ['Take the id from `GET /core/v1/workspaces`.', notAgain],
    example: { instance: workspace, detail: 'There is no workspace 01934f5e-7a00-7c3d-9f21-5b0c8e4d1a01.' },
    related: ['policy_not_found', 'exceeds_own_rights', 'forbidden'],
  },
  policy_not_found: {
    when: ['The workspace has no policy of that id.'],
    todo: ['Take the id from the list of its policies.', notAgain],
    example: {
      instance: `${workspace}/policies/01934f5e-7a80-7f1c-8e27-4b9d0a6c3e08`,
      detail: 'The workspace has no policy 01934f5e-7a80-7f1c-8e27-4b9d0a6c3e08.',
    },
    related: ['workspace_not_found'],
  },
  prerequisite_not_found: {
    when: ['The inquiry has no prerequisite of that id.'],
    todo: ["Take the id from the inquiry's `prerequisites`.", notAgain],
    example: {
      instance: `${inquiry}/prerequisites/01934f5e-7a51-7f1c-8e27-4b9d0a6c3e06`,
      detail: 'The inquiry has no prerequisite 01934f5e-7a51-7f1c-8e27-4b9d0a6c3e06.',
    },
    related: ['inquiry_not_found'],
  },
  method_not_allowed: {
    when: ['The path is right, but takes other methods.'],
    todo: ['The header Allow lists the methods that the path takes.', notAgain],
    example: {
      instance: environments,
      detail: 'This path takes GET, HEAD, POST.',
      options: { headers: { Allow: 'GET, HEAD, POST' } },
    },
    related: ['route_not_found'],
  },
  key_taken: {
    when: ['A POST or PATCH gives a decision a key that another decision of the workspace has. Nothing was changed.'],
    todo: ['Use another key, or change the decision that has it: `GET /logic/decisions?key=…` finds it.', notAgain],
    example: {
      instance: '/logic/decisions',
      detail: 'Decision 01934f5e-7a20-7e91-a5c7-3d8f1b6e4c03 has the key "support/shelter.json" already.',
    },
    related: ['validation_failed', 'precondition_failed'],
  },
  ...explanationsOfChanges,
  decision_in_use: {
    when: [
      'A DELETE of a decision that something needs: a deployment, the working copy or a saved version of another decision ' +
        'that names it, or a recorded execution.',
    ],
    todo: [
      'Delete its deployments, or take it out of the models that name it: `detail` says which.',
      'What a saved version or a recorded execution names is kept as long as they are.',
    ],
    example: { instance: decision, detail: 'The working copies of "support/shelter.json" name this decision.' },
    related: ['execution_history_exists', 'precondition_failed'],
  },
  last_client_writer: {
    when: [
      'The client is the last one of its tenant that may write clients (scope `client:write`), or the last one that may do ' +
        'so for good. Without it the tenant could make no client any more.',
    ],
    todo: ['Make another client with `client:write` first, without a time at which it expires.'],
    example: {
      instance: client,
      detail: 'This is the last client of the tenant that may write clients; make another one first.',
    },
    related: ['exceeds_own_rights'],
  },
  execution_history_exists: {
    when: [
      'A DELETE of an environment or a deployment that recorded executions name. It is kept, so that every record still ' +
        'says what ran where.',
    ],
    todo: [
      'To stop using a deployment, deploy another version instead: the newest deployment of a pair is in force.',
      'If the history may go, the operator removes it first: `verdict execution prune --before <date>`.',
    ],
    example: { instance: deployment, detail: 'Recorded executions name this deployment, so it is kept.' },
    related: ['precondition_failed'],
  },
  idempotency_in_progress: {
    when: ['An earlier request with the same Idempotency-Key is still running, so its answer cannot be given yet.'],
    todo: [
      'Wait for as many seconds as Retry-After says, and send the same request with the same key again. You then get ' +
        'the answer of the first one, and nothing runs twice.',
    ],
    example: {
      instance: executions,
      detail: 'The first request with this Idempotency-Key is still running.',
      options: { retryAfter: 2 },
    },
    related: ['idempotency_key_reused'],
  },
  precondition_failed: {
    when: ['The header If-Match names another state of the resource than the present one: somebody changed it since.'],
    todo: [
      'Read the resource again, look whether the change still makes sense, and send it with the new ETag.',
      'Without If-Match the last writer wins.',
    ],
    example: {
      instance: environment,
      detail: 'If-Match names another state than the present one; read it again first.',
    },
    related: ['execution_history_exists'],
  },
  body_too_large: {
    when: [
      'The body has more than `MAX_BODY_BYTES`, also once decompressed, or comes in chunks of a few bytes. ' +
        'One with a model as its `content` may have 6 MiB more.',
    ],
    todo: ['Send less, or larger chunks, or ask the operator for a higher limit.', notAgain],
    example: { instance: executions, detail: 'The body may have at most 1048576 bytes.' },
    related: ['malformed_json', 'unsupported_media_type'],
  },
  unsupported_media_type: {
    when: [
      'The body came without `Content-Type: application/json`, in a character set other than UTF-8, or in an encoding ' +
        'other than gzip, deflate and br.',
    ],
    todo: [
      'Send `Content-Type: application/json`. With curl, `-d` alone sends a form: add `-H "Content-Type: application/json"`.',
    ],
    example: { instance: environments, detail: 'The body must be `application/json`.' },
    related: ['malformed_json'],
  },
  reference_not_found: {
    when: [
      'A POST or PATCH of a deployment names an environment, a decision or a version that is not in the active workspace. ' +
        'Nothing was changed.',
    ],
    todo: ['`errors` says which of them is absent. Make it first, or correct the id.'],
    example: {
      instance: deployments,
      detail: 'The deployment refers to something that is not in this workspace.',
      options: {
        errors: [{ in: 'body', pointer: '/environmentId', message: 'names no environment of this workspace' }],
      },
    },
    related: ['environment_not_found', 'decision_not_found', 'version_not_found'],
  },
  model_has_faults: {
    when: [
      'A POST or PATCH of a decision has content that cannot run. Nothing was stored.',
      'With status 409: a version was to be made of a working copy that was stored with errors, or that uses one.',
    ],
    todo: [
      'Read `faults`: it lists every error, and the warnings too, each with its place. Warnings refuse nothing.',
      'To keep an unfinished model, send it with `?force=true`: it becomes the working copy, and never a version.',
    ],
    example: {
      instance: '/logic/decisions',
      detail: 'The model has errors. Nothing was stored.',
      options: {
        extensions: {
          faults: [
            {
              severity: 'error',
              key: 'support/shelter.json',
              nodeId: 'calc',
              node: 'Calculation',
              field: 'expression total',
              pointer: '/nodes/1/content/expressions/0/value',
              message: 'An expression was expected, but the text ends here.',
              hint: null,
              line: 1,
              column: 5,
              excerpt: 'a + ',
            },
          ],
        },
      },
    },
    related: ['validation_failed', 'version_not_found'],
  },
  model_too_large: {
    when: [
      'A model and all decisions that it reaches have more than 32 MiB together (less where the server has little memory): ' +
        'it is neither saved nor run. The names of its sub-decisions have more than 128 KiB.',
      'A model has more than 10,000 tests, or their report would have more than 16 Mi characters.',
    ],
    todo: [
      'Read `detail`: it names the size and the limit.',
      'Split the model, or take out what it does not need. ' + notAgain,
    ],
    example: {
      instance: `${decision}/versions`,
      detail:
        '"support/shelter.json" and all decisions that it reaches have 314572800 bytes together; at most 33554432 can be run.',
    },
    related: ['model_has_faults', 'body_too_large', 'workspace_full'],
  },
  workspace_full: {
    when: [
      'The workspace has stored as many bytes of models as it may (`MAX_WORKSPACE_MODEL_BYTES`, 1 GiB unless the operator ' +
        'says otherwise): each content once, those of saved versions included. Nothing was stored.',
    ],
    todo: [
      'Delete decisions that nobody needs. Their room is free after the next prune, which the operator runs.',
      'Or ask the operator for more room.',
    ],
    example: {
      instance: '/logic/imports',
      detail:
        'The workspace has stored 1073741000 bytes of models, versions and what records need included; with 2048 more it ' +
        'would have more than 1073741824.',
    },
    related: ['model_too_large', 'body_too_large'],
  },
  idempotency_key_reused: {
    when: [
      'The Idempotency-Key came within the last 24 hours, by the same principal in the same workspace, with another path or body. ' +
        'Giving the first answer would be wrong, and so would be running it.',
    ],
    todo: [
      'Use a new key for each new request (a UUID is good), and the same key only to repeat a request as it was, byte by byte.',
    ],
    example: {
      instance: executions,
      detail: 'This Idempotency-Key was used for another request.',
      options: {
        errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'was used with another path or body' }],
      },
    },
    related: ['idempotency_in_progress'],
  },
  rate_limited: {
    when: [
      'The client, or all who use the workspace together, made more requests than its limit lets through. The request was ' +
        'refused before its body was read, and did not count.',
    ],
    todo: [
      'Wait for as many seconds as Retry-After says. `RateLimit-Policy` names whose limit it is, and its rate.',
      'Spread your requests, or ask whoever gave you the client for a higher limit.',
    ],
    example: {
      instance: executions,
      detail: 'The client may make 50 requests a second, and 100 at once; nothing was done.',
      options: {
        retryAfter: 1,
        headers: { RateLimit: '"client";r=0;t=1', 'RateLimit-Policy': '"client";q=50;w=1' },
      },
    },
    related: ['too_many_requests', 'overloaded'],
  },
  too_many_requests: {
    when: [
      'Client id and secret were wrong too often, by this client id or from this address. Only failures count: right ' +
        'credentials are always let in.',
      'Or the notifications that the operator lets a tenant queue within a minute are used up; then nothing was queued.',
      'Or as many replays or shadows run in the workspace as may run at once; then none was started.',
    ],
    todo: [
      'Correct the credentials. Wait for as many seconds as Retry-After says before you try wrong ones again.',
      'The token endpoint says the same in the form of OAuth: `{"error": "too_many_requests", …}`.',
    ],
    example: {
      instance: inquiry,
      detail: 'Too many failed attempts; wait before the next one.',
      options: { retryAfter: 2 },
    },
    related: ['unauthorized', 'overloaded'],
  },
  engine_failure: {
    when: [
      'The run was ended because it wanted more memory than a run may have, or because its thread died. No other ' +
        'request was harmed.',
      'An execution is recorded as FAILED; `executionId` names the record. Evaluations have none.',
    ],
    todo: [
      'Do not repeat it as it is: the same model with the same fact will end the same way.',
      'Evaluate the same version with a smaller fact, and look in the trace for what grows. The operator can raise ' +
        '`RUN_MAX_HEAP_MB`.',
      'With an Idempotency-Key this answer is final for that key: use a new one for a new attempt.',
    ],
    example: {
      instance: executions,
      detail: 'The run passed its memory limit and was stopped.',
      options: { extensions: { executionId } },
    },
    related: ['engine_timeout', 'internal_error'],
  },
  internal_error: {
    when: ['The service has a fault. Nothing about it is said here; the log has it.'],
    todo: [
      'Repeat once if the request may be repeated: reads and DELETE always, executions with an Idempotency-Key.',
      quoteRequestId,
    ],
    example: {
      instance: environments,
      detail: 'Something unforeseen happened. Quote the request id to the operator.',
    },
    related: ['engine_failure', 'dependency_unavailable'],
  },
  overloaded: {
    when: [
      'More work has come than can be done in time: the queue is full, the wait would be too long, records wait to be ' +
        'written, or the server is stopping. Nothing was run and nothing was recorded.',
      'A list was asked for while clients leave so many long answers unread that no memory is left for another.',
    ],
    todo: [
      'Repeat the same request after as many seconds as Retry-After says, a little at random, and each time later than ' +
        'the last (1, 2, 4 … seconds). Give up after some minutes.',
      'Send fewer requests at once: each workspace has its own share of the queue.',
    ],
    example: {
      instance: executions,
      detail: 'The expected wait is too long. Nothing was run.',
      options: { retryAfter: 3 },
    },
    related: ['dependency_unavailable', 'too_many_requests'],
  },
  dependency_unavailable: {
    when: [
      'MySQL cannot be reached, or did not answer in time; or the keys of a trusted issuer of end-user tokens cannot be ' +
        'fetched. Nothing that was acknowledged is lost.',
      'For a write it is open whether it happened: the answer of the database may be what got lost.',
    ],
    todo: [
      'Repeat after as many seconds as Retry-After says. Reads, DELETE and requests with an Idempotency-Key can be ' +
        'repeated as they are.',
      'Repeat an execution without a key only if it may run, and be recorded, twice. Before you repeat a POST of an ' +
        'environment or deployment, look whether it is there.',
      quoteRequestId,
    ],
    example: {
      instance: executions,
      detail: 'The database cannot be reached right now; try again shortly.',
      options: { retryAfter: 1 },
    },
    related: ['overloaded', 'internal_error'],
  },
  engine_timeout: {
    when: [
      'The run took longer than its time limit (`RUN_TIMEOUT_MS`, 5 seconds unless the operator says otherwise) and was ' +
        'stopped. The time that it waited for a thread does not count.',
      'An execution is recorded as FAILED; `executionId` names the record. Evaluations have none.',
    ],
    todo: [
      'Do not repeat it as it is. Look at the model: a loop in a function node, an HTTP call that waits, a large list in a loop.',
      'With an Idempotency-Key this answer is final for that key: use a new one for a new attempt.',
    ],
    example: {
      instance: executions,
      detail: 'The run passed its time limit and was stopped.',
      options: { extensions: { executionId } },
    },
    related: ['engine_failure', 'overloaded'],
  },
} as const satisfies Record<ProblemCode, Explanation>;
