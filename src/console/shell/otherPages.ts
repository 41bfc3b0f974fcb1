// One script for the pages of requests and of the pool: with plots, the pool is heavier than the others can bear.
export { PoolPage } from '../pool/poolPage.js';
export { RequestPage } from '../requests/requestPage.js';
export { RequestsPage } from '../requests/requestsPage.js';
