import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltClient } from './factories.js';

/** What a machine needs for the command line to work by HTTP, and nothing else: no database, no key, no profile. */
export function remoteEnvironment(
  { baseUrl }: { readonly baseUrl: string },
  client: Pick<BuiltClient, 'id' | 'secret' | 'workspaceId'>,
): Record<string, string> {
  return {
    VERDICT_URL: baseUrl,
    VERDICT_CLIENT_ID: client.id,
    VERDICT_CLIENT_SECRET: client.secret,
    VERDICT_WORKSPACE: client.workspaceId,
    ...withoutProfile,
  };
}

/** Whoever runs the tests may have profiles of their own. */
export const withoutProfile = { XDG_CONFIG_HOME: join(tmpdir(), 'verdict-no-profiles') };

/** What has npm install into a folder, and commands found there. No registry answers: nothing may be asked of one. */
export const installedBelow = (folder: string): Record<string, string> => ({
  PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
  npm_config_prefix: folder,
  npm_config_cache: join(folder, 'npm-cache'),
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_update_notifier: 'false',
});
