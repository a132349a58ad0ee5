// Threat: an agent escapes its limits by having another one do the work, or by a session that outlives what is known of it.
// So the limits follow from the transcript's own first line, and where the chain is broken the strictest ones hold.
import type { AgentsConfig } from '../config/sections/agentsSection.ts';
import type { SessionHeader } from '../contracts/sessionEntry.ts';

/** By whom a started agent was started; its tools are limited by all of them. */
export interface Lineage {
  /** Ids of the agents around it, the user's own first. */
  readonly ancestors: readonly string[];
  /** 1 for what a user's agent started. */
  readonly depth: number;
  /** True where it may start no agents itself. */
  readonly isLeaf: boolean;
}

type Header = Pick<SessionHeader, 'kind' | 'agentId' | 'parent'>;

/** No config allows a deeper tree; a longer chain is a broken one. */
const deepest = 5;

/**
 * The lineage of a session; undefined for one that a user began. `open` gives the first line of a session, undefined where it
 * is gone: the session is a leaf then, and limited by the default agent, too.
 */
export async function lineageOf(
  header: Header,
  open: (id: string) => Promise<Header | undefined>,
  config: AgentsConfig,
): Promise<Lineage | undefined> {
  if (header.kind !== 'subagent') return undefined;
  const ancestors: string[] = [];
  let child: Header | undefined = header;
  while (child?.kind === 'subagent' && ancestors.length <= deepest) {
    child = child.parent === undefined ? undefined : await open(child.parent.sessionId);
    if (child !== undefined) ancestors.unshift(child.agentId);
  }
  if (child?.kind === 'chat') {
    const depth = ancestors.length;
    return { ancestors, depth, isLeaf: mayStartNone(header.agentId, ancestors[0], depth, config) };
  }
  const strictest = strictestLineage(config);
  const around = [...strictest.ancestors, ...ancestors];
  return { ...strictest, ancestors: around, depth: around.length };
}

/** Id of the session in which the user talks: an agent that another one has started has none of its own. */
export async function chatOf(
  sessionId: string,
  open: (id: string) => Promise<Pick<Header, 'kind' | 'parent'> | undefined>,
): Promise<string> {
  const header = await open(sessionId);
  // A fork names a parent, too, and is a chat.
  if (header?.kind !== 'subagent' || header.parent === undefined) return sessionId;
  return await chatOf(header.parent.sessionId, open);
}

/** What holds where nobody knows by whom an agent was started. Pure. */
export function strictestLineage(config: AgentsConfig): Lineage {
  return { ancestors: [defaultAgent(config)], depth: 1, isLeaf: true };
}

/** The depth that agents of a tree may have; the agent at its root says it. */
export function depthLimit(root: string, config: AgentsConfig): number {
  return config.list.find((agent) => agent.id === root)?.subagents.maxDepth ?? 0;
}

function mayStartNone(
  agentId: string,
  root: string | undefined,
  depth: number,
  config: AgentsConfig,
): boolean {
  return depth >= depthLimit(root ?? agentId, config) || depthLimit(agentId, config) === 0;
}

function defaultAgent(config: AgentsConfig): string {
  return config.list.find((agent) => agent.isDefault)?.id ?? 'main';
}
