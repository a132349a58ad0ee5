import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { RunOutcome } from '../../contracts/agentEvent.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { coreGatewayMethods } from '../../plugins/coreGatewayMethods.ts';
import type { GatewayPorts, StartedRun, TurnStart } from '../gatewayPorts.ts';
import type { ClientApprovals } from './createRemoteApprovals.ts';
import type { RunWaits } from './createRunWaits.ts';
import type { ClientInfo, Scope } from './frames.ts';

export interface CallParts {
  readonly ports: GatewayPorts;
  readonly approvals: ClientApprovals;
  readonly waits: RunWaits;
  readonly clients: () => readonly ClientInfo[];
  /** Milliseconds that the gateway has run. */
  readonly upMs: () => number;
  /** Whether a restart was agreed to, which comes once no turn runs. */
  readonly awaitsRestart: () => boolean;
  readonly now: () => number;
}

/** One call of a method by a client. */
interface MethodCall {
  readonly client: ClientInfo;
  readonly params: Readonly<Record<string, unknown>>;
  /** An answer before the last one: upstream's `agent` has two. */
  readonly accept: (payload: unknown) => void;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
}

interface Method {
  /** What a client must be allowed to do; undefined: nothing. */
  readonly scope: Scope | undefined;
  /** Gives the answer. Rejects with a PincerError. */
  answer(parts: CallParts, call: MethodCall): unknown;
}

/** Every method of the gateway itself, in upstream's names and shapes (OpenClaw documentation, Gateway protocol). */
export const coreMethods: Readonly<Record<Exclude<(typeof coreGatewayMethods)[number], 'connect'>, Method>> =
  {
    health: { scope: undefined, answer: ({ upMs, now }) => ({ ok: true, ts: now(), uptimeMs: upMs() }) },
    status: {
      scope: 'operator.read',
      answer: ({ ports, clients, upMs, awaitsRestart }) => ({
        uptimeMs: upMs(),
        awaitsRestart: awaitsRestart(),
        agents: ports.agents(),
        models: ports.models(),
        runningTurns: ports.running(),
        pendingApprovals: ports.approvals.pending().length,
        presence: presenceOf(clients()),
      }),
    },
    agent: {
      scope: 'operator.write',
      async answer(parts, { params, accept }) {
        const { runId, sessionKey, outcome } = await start(parts, params, false);
        accept({ runId, sessionKey, status: 'accepted', acceptedAt: parts.now() });
        return { runId, sessionKey, ...endOf(await outcome) };
      },
    },
    'agent.wait': {
      scope: 'operator.write',
      async answer({ waits }, { params, signal }) {
        const { timeoutMs = 30_000 } = params;
        if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0) || timeoutMs > 600_000)
          throw invalid('timeoutMs must be a number of milliseconds, at most 600000.');
        const runId = textAt(params, 'runId');
        const ended = await waits.until(runId, timeoutMs, signal);
        if (ended === undefined) return { runId, status: 'timeout' };
        const { startedAt, endedAt, outcome } = ended;
        return { runId, startedAt, endedAt, ...endOf(outcome) };
      },
    },
    'chat.send': {
      scope: 'operator.write',
      async answer(parts, { params }) {
        textAt(params, 'sessionKey');
        const { runId, sessionKey, isQueued = false } = await start(parts, params, true);
        return { runId, sessionKey, status: isQueued ? 'queued' : 'started' };
      },
    },
    'chat.abort': {
      scope: 'operator.write',
      async answer({ ports }, { params }) {
        const runIds = await ports.abort(textAt(params, 'sessionKey'), optionalText(params, 'runId'));
        return { ok: true, aborted: runIds.length > 0, runIds };
      },
    },
    'chat.history': {
      scope: 'operator.read',
      async answer({ ports }, { params }) {
        const { limit = 200 } = params;
        if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
          throw invalid('limit must be a whole number from 1 to 1000.');
        const { sessionId, sessionKey, messages } = await ports.history(textAt(params, 'sessionKey'));
        return { sessionId, sessionKey, messages: messages.slice(-limit).map(messageOf) };
      },
    },
    'sessions.list': {
      scope: 'operator.read',
      async answer({ ports }) {
        const sessions = await ports.sessions();
        return { count: sessions.length, sessions };
      },
    },
    'sessions.pluginPatch': {
      scope: 'operator.admin',
      async answer({ ports }, { params }) {
        const { value, unset } = params;
        const [key, pluginId, namespace] = ['key', 'pluginId', 'namespace'].map((name) =>
          textAt(params, name),
        );
        const target = { pluginId: pluginId ?? '', namespace: namespace ?? '' };
        await ports.patchPluginState(key ?? '', target, {
          ...(value === undefined ? {} : { value }),
          ...(unset === true ? { unset: true } : {}),
        });
        return { ok: true, key, ...(value === undefined ? {} : { value }) };
      },
    },
    'approvals.list': {
      scope: 'operator.approvals',
      answer: ({ approvals }, { client }) => ({ approvals: approvals.list(client.id) }),
    },
    'approvals.resolve': {
      scope: 'operator.approvals',
      answer: ({ approvals }, { client, params }) => ({
        ok: true,
        ...approvals.resolve(
          client.id,
          textAt(params, 'id'),
          params['decision'],
          optionalText(params, 'words'),
        ),
      }),
    },
    'channels.restart': {
      scope: 'operator.admin',
      answer: ({ ports }, { params }) =>
        ports.restartChannel(textAt(params, 'channel'), optionalText(params, 'accountId')),
    },
  };

/** Who is there, as clients see it. Pure. */
export function presenceOf(clients: readonly ClientInfo[]): readonly object[] {
  return clients.map(({ connId, name, version, mode, scopes }) => ({
    connId,
    client: name,
    version,
    mode,
    scopes,
  }));
}

/** Two requests with one `idempotencyKey` are one. */
async function start(
  { ports, waits }: CallParts,
  params: MethodCall['params'],
  isChat: boolean,
): Promise<StartedRun> {
  const message = textAt(params, 'message');
  const sessionKey = optionalText(params, 'sessionKey');
  const agentId = optionalText(params, 'agentId');
  const key = optionalText(params, 'idempotencyKey');
  const request: TurnStart = {
    message,
    mayQueue: isChat,
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(agentId === undefined ? {} : { agentId }),
  };
  return await waits.once(key === undefined ? undefined : `${isChat ? 'chat' : 'agent'} ${key}`, () =>
    ports.startTurn(request),
  );
}

function endOf(outcome: RunOutcome): object {
  switch (outcome.status) {
    case 'completed':
      return { status: 'ok', summary: 'completed', result: { payloads: [{ text: outcome.text }] } };
    case 'yielded':
      return { status: 'ok', summary: 'yielded' };
    case 'cancelled':
      return { status: 'error', summary: 'aborted', error: 'The turn was cancelled.' };
    case 'blocked':
      return { status: 'error', summary: 'blocked', error: outcome.text };
    case 'failed':
      return { status: 'error', summary: 'failed', error: outcome.message };
  }
}

function messageOf(message: AgentMessage): object {
  const { role, content } = message;
  return {
    role,
    content: content.map((part) => (part.type === 'image' ? { type: 'image' } : part)),
    ...('timestamp' in message ? { timestamp: message.timestamp } : {}),
    ...(message.role === 'toolResult'
      ? { toolCallId: message.toolCallId, toolName: message.toolName, isError: message.isError }
      : {}),
  };
}

function textAt(params: unknown, name: string): string {
  const value = isRecord(params) ? params[name] : undefined;
  if (typeof value !== 'string' || value.trim() === '') throw invalid(`${name} must be a text.`);
  return value.trim();
}

function optionalText(params: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return params[name] === undefined ? undefined : textAt(params, name);
}

function invalid(message: string): PincerError {
  return new PincerError('request_invalid', message);
}
