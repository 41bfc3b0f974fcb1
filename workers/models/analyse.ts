import { analyse, compileProperties, suggest, type Version } from '../analysis/index.js';
import { EngineError, stringify, type Diagnostic, type Value } from '../engine/index.js';
import { importsOf, type Programs } from '../programs.js';
import type { Bundle } from '../protocol.js';
import type { AnalyseAnswer, AnalyseTask, BroughtProgram } from './tasks.js';

/** Share of the time limit after which the rest is unknown: the thread is ended at the limit itself. */
const usableShare = 0.7;
/** Milliseconds after which it is unknown anyway: other work waits for the thread. */
const maxMs = 4000;

const none = { report: null, unconfirmed: 0 } as const;

interface Request {
  readonly properties?: unknown;
  readonly search?: unknown;
}

/** Analyses a model, or suggests tests of it. */
export async function analyseModel(task: AnalyseTask, programs: Programs, timeoutMs: number): Promise<AnalyseAnswer> {
  const until = performance.now() + Math.min(usableShare * timeoutMs, maxMs);
  const wanted = JSON.parse(task.request) as Request;
  const { checked: properties, faults: propertyFaults } = compileProperties(wanted.properties);
  if (propertyFaults.length > 0) return { ...none, propertyFaults, diagnostics: [] };
  try {
    const { workspaceId, against, stop } = task;
    const version = versionOf({ ...task, workspaceId }, programs);
    const request = {
      version,
      against: against === null ? undefined : versionOf({ ...against, workspaceId }, programs),
      properties,
      isSearched: wanted.search !== false,
      until,
      isStopped: () => stop !== null && Atomics.load(stop, 0) === 1,
    };
    const { report, unconfirmed } = task.suggest ? await suggest(request) : await analyse(request);
    return { report: stringify(report as unknown as Value), propertyFaults, diagnostics: [], unconfirmed };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const diagnostic: Diagnostic = { ...error.location, code: error.code, message: error.message };
    return { ...none, propertyFaults, diagnostics: [diagnostic] };
  }
}

function versionOf(
  { programId, bundle, workspaceId }: BroughtProgram & { readonly workspaceId: string },
  programs: Programs,
): Version {
  const { manifest, contents } = JSON.parse(bundle) as Bundle;
  const [root, ...others] = manifest.entries;
  const loaded = programs.get(programId) ?? programs.load(programId, { bundle, workspaceId });
  return {
    document: JSON.parse(contents[root?.content ?? ''] ?? 'null'),
    program: loaded instanceof EngineError ? null : loaded,
    imported: importsOf(JSON.parse(bundle) as Bundle),
    linked: JSON.stringify([root?.links, others]),
  };
}
