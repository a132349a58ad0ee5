// Threat: a client is an agent of another program, and what it has read nobody here knows: a page or a file may have told it to send away what
// tools give it. So its session counts as one that holds text from outside, and each new host is asked about.
import { randomUUID } from 'node:crypto';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { AgentTool } from '../contracts/tool.ts';
import { createKnowledgeTools, type KnowledgeDeps } from '../mcp/knowledgeTools.ts';
import type { ServedTool } from '../mcp/server/index.ts';
import type { Session } from '../sessions/session.ts';
import { knowledgeTools, toolGroups } from '../tools/policy/toolGroups.ts';
import { agentStopped } from './agentStopped.ts';
import { callOneTool, type OneToolParts } from './callOneTool.ts';
import type { TurnQueue } from './createTurnQueue.ts';
import type { RuntimeState } from './runtimeState.ts';

interface ServedToolsParts extends Omit<OneToolParts, 'state' | 'turns'> {
  readonly state: Pick<RuntimeState, 'signal' | 'problem' | 'layout'>;
  readonly turns: OneToolParts['turns'] & { readonly createSession: (agentId: string) => Session };
  readonly config: () => PincerConfig['mcp'];
  readonly queue: Pick<TurnQueue, 'startTurn'>;
  readonly knows: Omit<KnowledgeDeps, 'layout' | 'explain'>;
}

/** Those that everybody gets; more of an agent only where the user's config names them. */
const always: readonly string[] = ['memory_search', 'memory_get', ...knowledgeTools];

/** What clients of other programs get: the tools as the policy leaves them now, in one session of the agent that is the default now. */
export function createServedTools(parts: ServedToolsParts): () => readonly ServedTool[] {
  const { state, core, turns, queue } = parts;
  let session: Session | undefined;
  const sessionNow = (): Session => {
    const agentId = core.agents.idFor(undefined);
    if (session?.agentId === agentId) return session;
    const made = turns.createSession(agentId);
    core.taint.enter(made.id);
    session = made;
    return made;
  };
  const also: readonly AgentTool[] = createKnowledgeTools({
    ...parts.knows,
    layout: state.layout,
    explain: (name) => catalogNow().explain(name),
  });
  const catalogNow = (): ReturnType<OneToolParts['turns']['tools']['catalogFor']> => {
    const now = sessionNow();
    const model = turns.modelFor(now).info;
    return turns.tools.catalogFor(now, { model, lineage: core.agents.knownLineage(now), also });
  };
  const call: (
    name: string,
    ...given: Parameters<ServedTool['call']>
  ) => ReturnType<ServedTool['call']> = async (name, args, signal, onProgress) => {
    // As a turn it begins with what is on the disk now, and nothing is exchanged beneath it.
    const started = await queue.startTurn(() => {
      const problem = state.problem();
      if (problem !== undefined) throw agentStopped(problem);
      const invocation = { name, args, callId: `served_${randomUUID()}`, signal, onProgress };
      return {
        outcome: callOneTool(parts, sessionNow(), invocation, {
          askedBy: 'MCP client',
          also,
          channelId: 'mcp',
        }),
      };
    });
    const { content, isError } = (await started.outcome).message;
    return { content, isError };
  };
  return () => {
    const catalog = catalogNow();
    return [...new Set([...always, ...parts.config().serve])].flatMap((wanted): readonly ServedTool[] => {
      const tool = catalog.find(wanted);
      if (tool === undefined) return [];
      const { name, description, parameters, mayWrite } = tool;
      return [
        {
          name,
          description,
          parameters,
          isReadOnly: !mayWrite,
          isOpenWorld: !isClosed(tool),
          call: (...given) => call(name, ...given),
        },
      ];
    });
  };
}

/** Tools that reach nothing but this machine and what Pincer knows: `openWorldHint` of MCP is false. Of plugins and servers nobody knows. */
const closedTools = new Set([
  ...[...(toolGroups['group:fs'] ?? []), ...(toolGroups['group:memory'] ?? []), ...knowledgeTools],
  ...['sessions_list', 'sessions_history', 'session_status', 'agents_list'],
]);
const ownPlugin = 'memory-core';

function isClosed({ name, owner }: AgentTool): boolean {
  const isOwn = owner.kind === 'core' || (owner.kind === 'plugin' && owner.pluginId === ownPlugin);
  return isOwn && closedTools.has(name);
}
