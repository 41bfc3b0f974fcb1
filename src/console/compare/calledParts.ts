// What differs in the decisions that one runs. The session goes along: every other page has it, so that what all share stays one script.
export { CalledChanges } from './calledChanges.js';
export { useSession } from '../shell/session.js';
