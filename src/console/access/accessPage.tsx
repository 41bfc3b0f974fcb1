import { PageFrame } from '../parts/small.js';
import { Clients } from './clients.js';
import { Policies } from './policies.js';

/** Who may do what: the tenant's clients, and people in the workspace. */
export const AccessPage = () => (
  <PageFrame title="Access">
    <Clients />
    <Policies />
  </PageFrame>
);
