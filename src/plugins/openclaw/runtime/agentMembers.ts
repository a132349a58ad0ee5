// Threat: what an agent reads and says is a conversation. A plugin that runs one gets the same access as one that listens, so it
// needs the same permission of the user.

import { PincerError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import type {
  EmbeddedAgents,
  EmbeddedRequest,
  EmbeddedResult,
  EmbeddedRun,
} from '../../../agents/createEmbeddedAgents.ts';
import type { ThinkingLevel } from '../../../contracts/model.ts';

/** What the members that run agents are made from. */
export interface AgentMembersParts {
  readonly pluginId: string;
  /** @throws PincerError when the plugin has been unloaded; `method` is what it called. */
  readonly assertLoaded: (method: string) => void;
  /** Absent, plugins are told that agents can't be run here. */
  readonly agents?: EmbeddedAgents;
  /** True where the user lets the plugin read and lead conversations; bundled plugins may. */
  readonly mayConverse?: boolean;
  /** Called once it asks for what it may not: the place for a diagnostic with its fix. */
  readonly refusedConversation?: () => void;
}

type Members = Readonly<Record<string, unknown>>;

/** `api.runtime.agent.runEmbeddedAgent`, and its older name. */
export function agentRunMembers(parts: AgentMembersParts): Members {
  const run = async (params: unknown): Promise<unknown> => {
    const agents = allowed(parts, 'runtime.agent.runEmbeddedAgent');
    const request = requestOf(parts.pluginId, params);
    const started = await agents.run(request);
    return embeddedResult(started, await started.ended);
  };
  return { runEmbeddedAgent: run, runEmbeddedPiAgent: run };
}

/** `api.runtime.subagent`: the same without waiting. */
export function subagentMembers(parts: AgentMembersParts): Members {
  /** Runs that nobody has waited for yet; the oldest are forgotten. */
  const runs = new Map<string, ReturnType<typeof waitable>>();
  return {
    /** One question to a model, with the agent's prompt and without tools; nothing of it is kept. */
    async complete(params: unknown) {
      const agents = allowed(parts, 'runtime.subagent.complete');
      const { signal, sessionKey: _key, sessionId: _id, ...given } = isRecord(params) ? params : {};
      const wish = { ...given, disableTools: true, abortSignal: signal };
      const started = await agents.run(requestOf(parts.pluginId, wish, 'message'));
      try {
        return { text: completedText(await started.ended) };
      } finally {
        await agents.remove(parts.pluginId, started.session.key);
      }
    },
    async run(params: unknown) {
      const agents = allowed(parts, 'runtime.subagent.run');
      const started = await agents.run(requestOf(parts.pluginId, params, 'message'));
      runs.set(started.runId, waitable(started));
      for (const runId of [...runs.keys()].slice(0, -maxRuns)) runs.delete(runId);
      return { runId: started.runId, sessionKey: started.session.key };
    },
    async waitForRun(params: unknown) {
      allowed(parts, 'runtime.subagent.waitForRun');
      const { runId, timeoutMs } = isRecord(params) ? params : {};
      const run = typeof runId === 'string' ? runs.get(runId) : undefined;
      if (run === undefined)
        return { status: 'error', error: `Plugin ${parts.pluginId} has begun no such run.` };
      return await run(typeof timeoutMs === 'number' ? timeoutMs : undefined);
    },
    async getSessionMessages(params: unknown) {
      const agents = allowed(parts, 'runtime.subagent.getSessionMessages');
      const limit = isRecord(params) && typeof params['limit'] === 'number' ? params['limit'] : 100;
      const messages = agents.session(parts.pluginId, keyOf(params)).messages().slice(-Math.max(1, limit));
      return await Promise.resolve({ messages: structuredClone(messages) });
    },
    async deleteSession(params: unknown) {
      await allowed(parts, 'runtime.subagent.deleteSession').remove(parts.pluginId, keyOf(params));
    },
  };
}

const maxRuns = 50;

/** Waits for a run as long as its caller likes; the run itself goes on. */
function waitable({
  ended,
}: Awaited<ReturnType<EmbeddedAgents['run']>>): (ms: number | undefined) => Promise<Members> {
  return async (ms) => {
    if (ms === undefined) return waitResult(await ended);
    const late = AbortSignal.timeout(Math.max(0, ms));
    const timeout = new Promise<Members>((resolve) =>
      late.addEventListener('abort', () => resolve({ status: 'timeout' }), { once: true }),
    );
    return await Promise.race([ended.then(waitResult), timeout]);
  };
}

/** @throws PincerError `plugin_agent_missing`, `plugin_conversation_denied` */
function allowed(parts: AgentMembersParts, method: string): EmbeddedAgents {
  const { agents, pluginId } = parts;
  parts.assertLoaded(method);
  if (parts.mayConverse !== true) {
    parts.refusedConversation?.();
    throw new PincerError(
      'plugin_conversation_denied',
      `Plugin ${pluginId} wants to run an agent (${method}), and may not read conversations.`,
      { hint: `Set plugins.entries.${pluginId}.hooks.allowConversationAccess=true where you trust it.` },
    );
  }
  if (agents !== undefined) return agents;
  throw new PincerError(
    'plugin_agent_missing',
    `Plugin ${pluginId} wants to run an agent, and there is none here.`,
    {
      hint: 'Register a tool or a hook instead, so that the session’s agent does the work.',
    },
  );
}

/** @throws PincerError `plugin_agent_params` */
function requestOf(pluginId: string, params: unknown, promptKey = 'prompt'): EmbeddedRequest {
  const given = isRecord(params) ? params : {};
  const text = (key: string): string | undefined => {
    const value = given[key];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const prompt = text(promptKey);
  if (prompt === undefined)
    throw new PincerError('plugin_agent_params', `Plugin ${pluginId} runs an agent without a ${promptKey}.`);
  const sessionName = text('sessionKey') ?? text('sessionId');
  const model = modelName(text('provider'), text('model'));
  const agentId = text('agentId');
  const thinking = levels.find((level) => level === (given['thinkLevel'] ?? given['thinking']));
  const extraSystemPrompt = text('extraSystemPrompt');
  const { timeoutMs, abortSignal } = given;
  return {
    pluginId,
    prompt,
    withoutTools: given['disableTools'] === true,
    ...(sessionName === undefined ? {} : { sessionName }),
    ...(model === undefined ? {} : { model }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(extraSystemPrompt === undefined ? {} : { extraSystemPrompt }),
    ...(typeof timeoutMs === 'number' && timeoutMs > 0 ? { timeoutMs } : {}),
    ...(abortSignal instanceof AbortSignal ? { signal: abortSignal } : {}),
  };
}

const levels: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'];

function modelName(provider: string | undefined, model: string | undefined): string | undefined {
  if (model === undefined) return undefined;
  return provider === undefined ? model : `${provider}/${model}`;
}

function keyOf(params: unknown): string {
  const key = isRecord(params) ? params['sessionKey'] : undefined;
  return typeof key === 'string' ? key : '';
}

type Plain = Readonly<Record<string, unknown>>;

/** A run's end in upstream's shape: what it says, and what it took. Pure. */
function embeddedResult({ session, runId }: EmbeddedRun, result: EmbeddedResult): Plain {
  const { outcome, durationMs, model, usage } = result;
  const error = errorOf(result);
  const text = 'text' in outcome ? outcome.text : '';
  return {
    payloads: error === undefined ? (text === '' ? [] : [{ text }]) : [{ text: error, isError: true }],
    meta: {
      durationMs,
      runId,
      ...(outcome.status === 'cancelled' ? { aborted: true } : {}),
      ...(error === undefined ? {} : { error: { kind: kindOf(result), message: error } }),
      agentMeta: {
        sessionId: session.id,
        sessionKey: session.key,
        provider: model.provider,
        model: model.model,
        ...(usage === undefined
          ? {}
          : {
              usage: {
                input: usage.input,
                output: usage.output,
                cacheRead: usage.cacheRead,
                cacheWrite: usage.cacheWrite,
                total: usage.input + usage.output,
              },
            }),
      },
    },
  };
}

/** What it said in the end. @throws PincerError `plugin_agent_failed` where it did not get that far */
function completedText(result: EmbeddedResult): string {
  const error = errorOf(result);
  if (error !== undefined) throw new PincerError('plugin_agent_failed', error);
  return 'text' in result.outcome ? result.outcome.text : '';
}

/** What `waitForRun` says of a run that has ended. Pure. */
function waitResult(result: EmbeddedResult): Plain {
  const error = errorOf(result);
  if (error === undefined) return { status: 'ok' };
  return result.isTimeout ? { status: 'timeout', error } : { status: 'error', error };
}

function errorOf({ outcome, isTimeout }: EmbeddedResult): string | undefined {
  switch (outcome.status) {
    case 'completed':
      return undefined;
    case 'blocked':
      return outcome.text;
    case 'failed':
      return outcome.message;
    case 'cancelled':
    case 'yielded':
      return isTimeout ? 'It took longer than its timeoutMs.' : 'It was cancelled.';
  }
}

function kindOf({ outcome, isTimeout }: EmbeddedResult): string {
  if (isTimeout) return 'timeout';
  return outcome.status === 'failed' ? outcome.code : outcome.status;
}
