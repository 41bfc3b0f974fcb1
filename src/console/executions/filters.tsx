import type { Decision, Deployment, Environment } from '../api/types.js';
import { ChoiceFilter, Filters as FilterForm, TextFilter, TimeFilter } from '../parts/filters.js';
import { versionName } from '../parts/small.js';

/** Every filter of the list of executions, by the names that the API has for them. */
export const filterNames = [
  'environmentId',
  'decisionId',
  'deploymentId',
  'version',
  'status',
  'reference',
  'requestId',
  'from',
  'to',
] as const;

interface FiltersProps {
  readonly decisions: readonly Decision[];
  readonly environments: readonly Environment[];
  readonly deployments: readonly Deployment[];
}

/** The newest deployments that are offered; an older one is found by its link. */
const maxDeployments = 200;

export function Filters({ decisions, environments, deployments }: FiltersProps) {
  const keys = new Map(decisions.map(({ id, key }) => [id, key]));
  const named = deployments
    .slice(-maxDeployments)
    .reverse()
    .map(({ id, name, decisionId, version }) => {
      const what = `${keys.get(decisionId) ?? decisionId} ${versionName(version)}`;
      return [id, name === versionName(version) ? what : `${what}, ${name}`] as const;
    });
  return (
    <FilterForm label="Executions" names={filterNames}>
      <TextFilter name="reference" label="Reference" />
      <ChoiceFilter name="decisionId" label="Decision" options={decisions.map(({ id, key }) => [id, key])} />
      <TextFilter name="version" label="Version" placeholder="0 is the working copy" />
      <ChoiceFilter name="environmentId" label="Environment" options={environments.map(({ id, name }) => [id, name])} />
      <ChoiceFilter name="deploymentId" label="Deployment" options={named} />
      <ChoiceFilter name="status" label="Status" options={['COMPLETED', 'FAILED'].map((status) => [status, status])} />
      <TextFilter name="requestId" label="Request" placeholder="X-Request-Id" />
      <TimeFilter name="from" label="From" since />
      <TimeFilter name="to" label="To" />
    </FilterForm>
  );
}
