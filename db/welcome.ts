import type { DemoAccess } from './seeds/demo.js';

/** The one screen of `make run`; its lines work when pasted into a shell. */
export function welcome(server: { baseUrl: string; adminUrl: string; demo: DemoAccess | undefined }): string {
  const { baseUrl, adminUrl, demo } = server;
  return [
    '',
    `  Verdict serves at ${baseUrl}`,
    `  Console           ${baseUrl}/console`,
    ...(demo === undefined ? [] : [`    sign in with    ${demo.clientId}  ${demo.clientSecret}`]),
    `  Documentation     ${baseUrl}/docs`,
    `  Health, metrics   ${adminUrl}/healthz  ${adminUrl}/metrics`,
    '',
    ...(demo === undefined ? withoutDemo : withDemo(baseUrl, demo)),
    '',
    '  Ctrl-C ends it; the data stays in .run/. Other targets: make help',
    '',
  ].join('\n');
}

const withoutDemo = [
  '  The database holds tenants of its own, so there is no demo. To make a client:',
  '    npm run -s verdict -- client create --help',
];

function withDemo(baseUrl: string, demo: DemoAccess): string[] {
  const path = `/logic/${demo.environmentId}/decisions/${demo.decisionId}/executions`;
  return [
    '  Get a token:',
    '',
    `TOKEN=$(curl -s -u '${demo.clientId}:${demo.clientSecret}' -d grant_type=client_credentials \\`,
    `  ${baseUrl}/core/oauth2/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    '',
    '  Run the demo decision:',
    '',
    `curl -s -X POST ${baseUrl}${path} \\`,
    `  -H "Authorization: Bearer $TOKEN" -H 'X-Workspace-Id: ${demo.workspaceId}' -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify({ fact: demo.fact }))}`,
    '',
    '  Find what was recorded of it:',
    '',
    'npm run -s verdict -- execution list',
    '',
    '  Send the demo inquiry to a person; without a gateway, the log below says what would be sent:',
    '',
    `curl -s -X PATCH -u '${demo.clientId}:${demo.clientSecret}' ${baseUrl}/fuse/v2/inquiries/${demo.inquiryId} \\`,
    `  -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(message))}`,
  ];
}

const message = { notifications: [{ type: 'SMS', to: '+358401234567', message: 'Please start here: $link' }] };

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
