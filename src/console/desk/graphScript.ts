// The graph's script, which who opens a table does not wait for. The session goes along: every other page has it, so that what all share stays one script.
export { GraphPane } from './graphPane.js';
export { useSession } from '../shell/session.js';
