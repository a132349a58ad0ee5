import {
  isToolProfile,
  type ToolPolicySource,
  type ToolRulesByProvider,
} from '../../config/sections/toolPolicySchema.ts';
import type { PolicyLayer } from './decideToolPolicy.ts';
import { normaliseToolName } from './toolGroups.ts';
import { deniedToLeafSubagents, deniedToSubagents, neverForSubagents, profileTools } from './toolProfiles.ts';

/** What of a run decides which layers hold for it. */
export interface PolicyRun {
  readonly agentId: string;
  /** Missing where it is not known yet which model answers; layers by provider are left out then. */
  readonly provider?: string;
  /** The model's id without its provider. */
  readonly model?: string;
  /** The chat group, on surfaces that have groups; of a topic its own id before that of its group: the first that has rules counts. */
  readonly groupIds?: readonly string[];
  /** True where commands run in the container. */
  readonly sandboxed: boolean;
  /** There for an agent that another agent has started. */
  readonly subagent?: {
    /** True where it may start none itself. */
    readonly isLeaf: boolean;
    /** The agents around it: it has no tool that one of them has not. Default: none but itself. */
    readonly ancestors?: readonly string[];
  };
}

/**
 * The layers of one run: for each file profile, profile by provider, general, by provider, agent, agent by provider, group,
 * sandbox, subagent (OpenClaw plugin architecture, Tool Policy Resolution), the user's file first; then what subagents have not,
 * and the layers of the agents around them. Layers that say nothing are left out. Pure.
 */
export function planPolicyLayers(
  config: { readonly tools: { readonly policies: readonly ToolPolicySource[] } },
  run: PolicyRun,
): readonly PolicyLayer[] {
  const { policies } = config.tools;
  const own = policies.flatMap((source) => layersOf(withProfiles(source, policies), run));
  if (run.subagent === undefined) return own;
  const { isLeaf, ancestors = [] } = run.subagent;
  const others = [...new Set(ancestors)].filter((id) => id !== run.agentId);
  return [
    ...own,
    { label: 'what an agent never has that another has started', deny: neverForSubagents },
    {
      label: 'what an agent has not that another has started (tools.subagents.tools.allow gives it back)',
      deny: withoutLifted(isLeaf ? deniedToLeafSubagents : deniedToSubagents, policies),
    },
    ...others.flatMap((agentId) => layersAround(policies, run, agentId)),
  ];
}

/**
 * What the user names there, letter for letter; a glob gives nothing back, and neither does a workspace. What the user's file said
 * before and after a change must both name it.
 */
function withoutLifted(denied: readonly string[], policies: readonly ToolPolicySource[]): readonly string[] {
  const lifted = policies
    .filter(({ isUser }) => isUser === true)
    .map(({ tools }) => (tools.subagents?.tools?.allow ?? []).map(normaliseToolName));
  return denied.filter((name) => lifted.length === 0 || lifted.some((names) => !names.includes(name)));
}

/** The layers of an agent around this one. What that agent has not, an optional tool included, this one has not either. */
function layersAround(
  policies: readonly ToolPolicySource[],
  run: PolicyRun,
  agentId: string,
): readonly PolicyLayer[] {
  const { subagent: _own, ...around } = run;
  return policies
    .flatMap((source) => layersOf(withProfiles(source, policies), { ...around, agentId }))
    .map((layer) => ({
      ...layer,
      label: `${layer.label} of the agent ${agentId} around it`,
      around: agentId,
    }));
}

/** A file may name the user's profiles, too. A workspace's own ones can only take away: they are layers of that file alone. */
function withProfiles(source: ToolPolicySource, policies: readonly ToolPolicySource[]): ToolPolicySource {
  const isUsers = ({ isUser, isNewer }: ToolPolicySource): boolean =>
    isUser === true && isNewer === source.isNewer;
  const users = policies.find(isUsers)?.tools.profiles;
  return { ...source, tools: { ...source.tools, profiles: { ...users, ...source.tools.profiles } } };
}

/** Rules and the key where they stand. */
interface RulesAtKey {
  readonly key: string;
  readonly rules: ToolRulesByProvider;
}

function layersOf(source: ToolPolicySource, run: PolicyRun): readonly PolicyLayer[] {
  const { tools } = source;
  const general = { key: 'tools', rules: tools };
  const agent = placeOf(`agents.${run.agentId}.tools`, entryFor(source.agents, run.agentId)?.tools);
  const generalByProvider = byProvider(general, run);
  const providers = byProvider({ key: 'tools', rules: { byProvider: tools.providers } }, run, 'providers');
  const { profiles = {} } = tools;
  const agentByProvider = byProvider(agent, run);
  const groupId = run.groupIds?.find((each) => entryFor(source.groups, each) !== undefined);
  const group = groupId === undefined ? undefined : entryFor(source.groups, groupId)?.tools;
  const layers: readonly (Layer | undefined)[] = [
    // An agent's own profile stands for the general one, and so does what it has beside it (upstream).
    profileLayer(profiles, agent, general),
    profileLayer(profiles, agentByProvider, generalByProvider),
    profileLayer(profiles, placeOf('', undefined), providers),
    // A file that says nothing any more wants no optional tool, either.
    listLayer(general) ?? (source.isNewer === true ? { key: 'tools (' } : undefined),
    listLayer(generalByProvider),
    listLayer(providers),
    listLayer(agent),
    listLayer(agentByProvider),
    listLayer(placeOf(`groups.${groupId ?? ''}.tools`, group)),
    run.sandboxed ? listLayer(placeOf('tools.sandbox.tools', tools.sandbox?.tools)) : undefined,
    run.subagent === undefined
      ? undefined
      : listLayer(placeOf('tools.subagents.tools', tools.subagents?.tools)),
  ];
  return layers
    .filter((layer) => layer !== undefined)
    .map(({ key, ...layer }) => ({
      ...layer,
      label: `${key}${source.label})`,
      ...(source.isUser === true ? { isUser: true } : {}),
      ...(source.isNewer === true ? { isNewer: true } : {}),
    }));
}

type Layer = Omit<PolicyLayer, 'label' | 'isUser' | 'isNewer'> & {
  /** The beginning of the label, up to the file. */
  readonly key: string;
};

/** A name that nothing defines allows nothing: who knows what it was to take away. */
function profileLayer(
  profiles: NonNullable<ToolPolicySource['tools']['profiles']>,
  specific: RulesAtKey,
  general: RulesAtKey,
): Layer | undefined {
  const holder = specific.rules.profile === undefined ? general : specific;
  const { profile = 'full' } = holder.rules;
  const beside = specific.rules.alsoAllow ?? general.rules.alsoAllow ?? [];
  const key = `profile "${profile}" (${holder.key}.profile, `;
  const defined = entryFor(profiles, profile);
  if (defined !== undefined) {
    const { allow = [], deny = [] } = defined;
    return { key, ...(allow.length === 0 ? {} : { allow: [...allow, ...beside] }), deny };
  }
  if (!isToolProfile(profile)) return { key, deny: ['*'] };
  const allowed = profileTools[profile];
  return allowed === undefined ? undefined : { key, allow: [...allowed, ...beside] };
}

function listLayer({ key, rules }: RulesAtKey): Layer | undefined {
  const { allow = [], deny = [], alsoAllow = [] } = rules;
  if (allow.length + deny.length + alsoAllow.length === 0) return undefined;
  const lists = allow.length === 0 ? { reveals: alsoAllow } : { allow: [...allow, ...alsoAllow] };
  return { key: `${key} (`, ...lists, deny };
}

/** The rules for the model, or else those for its provider (upstream: one of both). */
function byProvider(
  { key, rules }: RulesAtKey,
  { provider, model }: PolicyRun,
  name = 'byProvider',
): RulesAtKey {
  const known = rules.byProvider ?? {};
  if (provider === undefined) return placeOf(key, undefined);
  const names = model === undefined ? [provider] : [`${provider}/${model}`, provider];
  const found = names.find((each) => entryFor(known, each) !== undefined);
  return found === undefined
    ? placeOf(key, undefined)
    : placeOf(`${key}.${name}.${found}`, entryFor(known, found));
}

function placeOf(key: string, rules: ToolRulesByProvider | undefined): RulesAtKey {
  return { key, rules: rules ?? {} };
}

/** Keys are compared without case, as tool names are. */
function entryFor<T>(entries: Readonly<Record<string, T>>, key: string): T | undefined {
  const wanted = key.toLowerCase();
  return Object.entries(entries).find(([each]) => each.toLowerCase() === wanted)?.[1];
}
