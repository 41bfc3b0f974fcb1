// One script for the pages about what ran, and what another version would have done.
export { ExecutionPage } from '../executions/executionPage.js';
export { ExecutionsPage } from '../executions/executionsPage.js';
export { ReplayPage } from '../replays/replayPage.js';
export { ReplaysPage } from '../replays/replaysPage.js';
export { ShadowPage } from '../replays/shadowPage.js';
