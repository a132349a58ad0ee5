import { nearestFirst } from '../base/nearestFirst.ts';
import type { AgentEntry, AgentsConfig, Binding } from '../config/sections/agentsSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { resolveAgentFolder } from './resolveAgentFolder.ts';
import { describeMatch } from './resolveRoute.ts';

/** What the agents' config is held against. */
interface AgentSurroundings {
  /** Absolute paths of the open folders. */
  readonly folders: readonly string[];
  readonly userHome?: string;
  /** Whether there is a model `provider/model`. */
  readonly hasModel: (name: string) => boolean;
}

/** What OpenClaw's config has below `agents`, where Pincer has the agents themselves (OpenClaw documentation, Agents). */
const upstreamKeys: readonly string[] = ['defaults', 'entries', 'list', 'ownership'];

/** What of agents and bindings means nothing or something else than it says. Pure. */
export function findAgentProblems(config: AgentsConfig, around: AgentSurroundings): readonly Diagnostic[] {
  const ids = config.list.map(({ id }) => id);
  return [
    ...config.otherDefaults.map((id) => secondDefault(id, config)),
    ...ids.filter((id) => upstreamKeys.includes(id)).map(namedAsUpstreamKey),
    ...config.list.flatMap((agent) => [
      ...(agent.model === undefined || around.hasModel(agent.model)
        ? []
        : [unknownModel(`agents.${agent.id}.model`, agent.model)]),
      ...folderProblem(agent, around),
      ...agent.subagents.allowAgents
        .filter((id) => id !== '*' && !ids.includes(id))
        .map((id) => unknownAgent(`agents.${agent.id}.subagents.allowAgents`, id, ids, 'It is left out.')),
    ]),
    ...config.bindings.flatMap((binding, index) => bindingProblems(binding, index, ids, around)),
  ];
}

function bindingProblems(
  binding: Binding,
  index: number,
  ids: readonly string[],
  { hasModel }: AgentSurroundings,
): readonly Diagnostic[] {
  const where = `bindings[${index}] (${describeMatch(binding)})`;
  const { agentId, model } = binding;
  return [
    ...(ids.includes(agentId)
      ? []
      : [unknownAgent(where, agentId, ids, 'Until then the default agent answers there.')]),
    ...(model === undefined || hasModel(model) ? [] : [unknownModel(where, model)]),
  ];
}

function secondDefault(id: string, config: AgentsConfig): Diagnostic {
  const chosen = config.list.find((agent) => agent.isDefault)?.id ?? 'main';
  return {
    level: 'warn',
    code: 'agent_second_default',
    message: `agents.${id}.default is ignored: the agent ${chosen} is the default already.`,
    hint: `Take "default" out of one of the two.`,
  };
}

function namedAsUpstreamKey(id: string): Diagnostic {
  return {
    level: 'warn',
    code: 'agent_named_as_key',
    message: `agents.${id} is an agent named "${id}" here; in OpenClaw's config it is a key of its own.`,
    hint: 'What holds for every agent stands under "agent", and each agent under "agents" by its id. Rename it where it is meant as an agent.',
  };
}

function unknownAgent(where: string, id: string, ids: readonly string[], effect: string): Diagnostic {
  const [nearest] = nearestFirst(id, [...ids]);
  const known = nearest === undefined ? `There is: ${ids.join(', ')}.` : `Did you mean "${nearest}"?`;
  return {
    level: 'warn',
    code: 'agent_unknown',
    message: `${where} names the agent "${id}", which does not exist.`,
    hint: `${known} ${effect}`,
  };
}

function unknownModel(where: string, model: string): Diagnostic {
  return {
    level: 'warn',
    code: 'agent_model_unknown',
    message: `${where} names the model "${model}", which does not exist.`,
    hint: 'Add it with Pincer: Add Model…, or correct the name. Until then it does not answer.',
  };
}

function folderProblem({ id, workspace }: AgentEntry, around: AgentSurroundings): readonly Diagnostic[] {
  if (workspace === undefined || around.folders.length === 0) return [];
  const { folder, problem } = resolveAgentFolder(workspace, around.folders, around.userHome);
  if (problem === undefined) return [];
  return [
    {
      level: 'warn',
      code: 'agent_folder_unknown',
      message: `agents.${id}.workspace: "${workspace}" ${problem}.`,
      hint: `Write the path of an open folder. Until then the agent works in ${folder ?? 'none'}.`,
    },
  ];
}
