// One script for the pages that authors go between: each of them in a script of its own would be a dozen requests.
export { ComparePage } from '../compare/comparePage.js';
export { DecisionsPage } from '../decisions/decisionsPage.js';
