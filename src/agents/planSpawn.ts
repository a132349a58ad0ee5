import type { PincerError } from '../base/errors.ts';
import type { AgentEntry, AgentsConfig } from '../config/sections/agentsSection.ts';
import { agentNotAllowed, agentUnknown, subagentTooDeep, subagentTooMany } from './agentErrors.ts';
import { depthLimit, type Lineage } from './lineageOf.ts';

/** Who wants to start which agent, and what runs already. */
export interface SpawnInput {
  readonly config: AgentsConfig;
  /** The agent that starts another one. */
  readonly agentId: string;
  /** Undefined where a user began its session. */
  readonly lineage: Lineage | undefined;
  /** Default: the same agent. */
  readonly wanted: string | undefined;
  /** Agents that this session has started and that run now. */
  readonly running: number;
  /** The same of all sessions. */
  readonly runningEverywhere: number;
}

export type SpawnPlan =
  | { readonly kind: 'refused'; readonly error: PincerError }
  | { readonly kind: 'allowed'; readonly agent: AgentEntry; readonly depth: number };

/** Started agents of all sessions at one time (upstream's limit). */
export const maxRunningEverywhere = 8;

/** Whether an agent may start another one now: who, how deep, how many (`agents.<id>.subagents`). Pure. */
export function planSpawn(input: SpawnInput): SpawnPlan {
  const { config, agentId, lineage, running, runningEverywhere } = input;
  const own = config.list.find((agent) => agent.id === agentId);
  const root = lineage?.ancestors[0] ?? agentId;
  const limit = depthLimit(root, config);
  if (lineage?.isLeaf === true || limit === 0 || own?.subagents.maxDepth === 0)
    return refused(subagentTooDeep(limit, root));
  const wanted = input.wanted ?? agentId;
  const agent = config.list.find((each) => each.id === wanted);
  if (agent === undefined)
    return refused(
      agentUnknown(
        wanted,
        config.list.map(({ id }) => id),
      ),
    );
  if (!mayStart(own, wanted, agentId)) return refused(agentNotAllowed(wanted, agentId));
  if (running >= (own?.subagents.maxChildren ?? 1))
    return refused(subagentTooMany(running, 'of this session'));
  if (runningEverywhere >= maxRunningEverywhere)
    return refused(subagentTooMany(runningEverywhere, 'in all sessions'));
  return { kind: 'allowed', agent, depth: (lineage?.depth ?? 0) + 1 };
}

/** The agents that another one may start, itself first. Pure. */
export function startableAgents(config: AgentsConfig, agentId: string): readonly AgentEntry[] {
  const own = config.list.find((agent) => agent.id === agentId);
  const others = config.list.filter(({ id }) => id !== agentId && mayStart(own, id, agentId));
  return own === undefined ? others : [own, ...others];
}

function mayStart(own: AgentEntry | undefined, wanted: string, agentId: string): boolean {
  const { allowAgents = [] } = own?.subagents ?? {};
  return wanted === agentId || allowAgents.includes(wanted) || allowAgents.includes('*');
}

function refused(error: PincerError): SpawnPlan {
  return { kind: 'refused', error };
}
