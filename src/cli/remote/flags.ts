import type { Where } from '../command.js';
import { id, parsed, text, type Params } from '../params.js';
import { parseUrl } from './connection.js';

const workspace = id('--workspace <id>', "the workspace; else VERDICT_WORKSPACE, or the profile's");
const server = {
  profile: text('--profile <name>', 'the profile to use, of those that login has made'),
  url: parsed('--url <url>', "the server; else VERDICT_URL, or the profile's", parseUrl),
  clientId: text('--client-id <id>', "the client; else VERDICT_CLIENT_ID, or the profile's"),
};

/** The options that say which server, client and workspace are meant, of commands that work there. */
export const flagsOf = (where: Where): Params =>
  where === 'here' ? {} : where === 'tenant' ? server : { workspace, ...server };
