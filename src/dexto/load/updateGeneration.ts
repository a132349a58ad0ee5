import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { ReadTracker } from '../../host/createReadTracker.ts';
import type { DextoLoadInput } from './findAgentFile.ts';
import { bringUpGeneration, type BringUpGenerationParts } from './bringUpGeneration.ts';
import type { Generations } from './createGenerations.ts';
import { findLostGuard } from './findLostGuard.ts';
import { keyOf, planMembers, withoutContents, type Generation } from './generation.ts';
import { type DextoPlan, decideDextoEnablement } from './planDextoPlugin.ts';
import { planLoadReport } from './planLoadReport.ts';
import { surveyAgentFile, type AgentFileSurvey, type SurveyAgentFileParts } from './surveyAgentFile.ts';
import type { Consent } from '../../plugins/consent/consentRecords.ts';
import type { PluginsConfig } from '../../plugins/pluginTypes.ts';

interface UpdateParts extends BringUpGenerationParts, Omit<SurveyAgentFileParts, 'loader'> {
  readonly live: Generations;
  /** Of what a look at the agent file and its plugins reads. */
  readonly reads: ReadTracker;
}

export interface UpdateRequest {
  readonly input: DextoLoadInput;
  /** Loads even what has not changed. */
  readonly force: boolean;
  /** Aborts when something newer counts: nothing is changed from then on. */
  readonly signal: AbortSignal;
  /** Files were saved by hand: true where that renewed the consent of one of these plugins. */
  readonly renew?: (plans: readonly DextoPlan[]) => Promise<boolean>;
}

/**
 * Makes what runs match the agent file, the user's config and the consents. Where that fails, what ran goes on, unless the user
 * has switched a part of it off. Never rejects.
 */
export async function updateGeneration(parts: UpdateParts, request: UpdateRequest): Promise<void> {
  const { live, reads } = parts;
  const { input, signal, renew } = request;
  const look = (): Promise<AgentFileSurvey> =>
    reads.record((fs) => surveyAgentFile({ ...parts, fs }, input, live.current()?.file));
  const found = await look();
  const isRenewed = found.kind === 'read' && (await renew?.(found.plans)) === true;
  const survey = isRenewed ? await look() : found;
  if (signal.aborted) return;
  if (survey.kind === 'read') await apply(parts, survey, request);
  else await live.swap(undefined, planLoadReport(survey, undefined, []));
}

async function apply(
  parts: UpdateParts,
  read: Extract<AgentFileSurvey, { kind: 'read' }>,
  { input, force, signal }: UpdateRequest,
): Promise<void> {
  const { live } = parts;
  const { file, plans, consents } = read;
  const before = live.current();
  const members = planMembers(plans, before);
  const survey = { ...read, plans: plans.map(withoutContents) };
  if (before !== undefined && !mayGoOn(before, { ...input, consents })) {
    // What the user has switched off stops before anything else is tried.
    await live.swap(undefined, planLoadReport(survey, undefined, []));
    if (signal.aborted) return;
  }
  const current = live.current();
  const lost = current === undefined ? findLostGuard(plans, members) : undefined;
  if (lost !== undefined) {
    await live.swap(undefined, planLoadReport(withProblem(survey, lost), undefined, []));
    return;
  }
  // A file that can't be read brings nothing new to try.
  const isAsked = force && read.problem === undefined;
  if (current !== undefined && !isAsked && current.key === keyOf(members)) {
    await live.swap({ ...current, file }, planLoadReport(survey, current, []));
    return;
  }
  const brought = await bringUpGeneration(parts, { file, plans, members, force: isAsked, signal });
  if (brought === 'superseded') return;
  if (!brought.ok) {
    if (!signal.aborted) await live.swap(current, planLoadReport(survey, current, brought.failures));
    return;
  }
  const { generation } = brought;
  // Trust may have gone in this very moment.
  if (signal.aborted) await live.end(generation);
  else await live.swap(generation, planLoadReport(survey, generation, []));
}

function withProblem<Survey extends { readonly diagnostics: readonly Diagnostic[] }>(
  survey: Survey,
  problem: Diagnostic,
): Survey & { readonly problem: Diagnostic } {
  return { ...survey, problem, diagnostics: [...survey.diagnostics, problem] };
}

/**
 * Whether everything that runs is still allowed to: the user has switched none of it off and taken no consent back. That there
 * is a newer version to agree to stops nothing. Pure.
 */
function mayGoOn(
  { plugins }: Generation,
  { config, consents }: { readonly config: PluginsConfig; readonly consents: readonly Consent[] },
): boolean {
  return plugins.every(({ plan }) => {
    const { id, origin, candidate } = plan;
    const isGiven = consents.some((each) => each.id === id && each.rootDir === candidate.rootDir);
    const consent = origin !== 'workspace' ? 'not-needed' : isGiven ? 'given' : 'never-enabled';
    return decideDextoEnablement(plan, config, consent).enabled;
  });
}
