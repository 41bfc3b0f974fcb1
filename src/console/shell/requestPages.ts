// One script for the pages of requests.
export { RequestPage } from '../requests/requestPage.js';
export { RequestsPage } from '../requests/requestsPage.js';
