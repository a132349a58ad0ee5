import type { DextoErrorCode } from '../dexto/dextoErrors.ts';
import type { ExtensionPoint, PluginNotice } from '../dexto/dextoTypes.ts';
import { httpStatusOfError as httpStatusOfFailure } from '../dexto/httpStatus.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { openSession, recordStops, toCallerOutcome, type CallerOutcome } from './commands/agentSession.ts';
import { exitCodeOfError, exitCodes } from './exitCodes.ts';
import { openRuntime } from './withRuntime.ts';

/** Where an agent works, and which one it is. Paths are absolute or relative to the current folder. */
export interface AgentOptions {
  /** The folder that its tools reach. */
  workspace: string;
  /** In place of the workspace's own agent file. Code that it names runs without a question, unless it lies in the workspace. */
  agentFile?: string;
  /** A bundle of `pincer bundle`, in place of every agent file. */
  bundle?: string;
  /** Sessions and storage. Default: a folder of the user's for this workspace. */
  stateDir?: string;
  /** In place of the mode in the user's config. Nobody can be asked: what would ask is denied. */
  approve?: 'deny' | 'allowlist' | 'ask' | 'auto' | 'full';
  /** Gets each line of the log. Default: none is written. */
  log?: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
}

/** One message to the agent. */
export interface AgentRequest {
  message: string;
  /** Goes on with that session. Default: a new one. */
  sessionId?: string;
  /** As `pincer agent --model` takes it. Default: that of the agent file or the config. */
  model?: string;
  /** On whose behalf. A session of another tenant is refused. */
  tenant?: { tenantId?: string; userId?: string };
  /** Cancels the turn. */
  signal?: AbortSignal;
}

/** A plugin stopped something, or failed. Quotes nothing of what was stopped before the model or the user saw it. */
export interface AgentStop {
  plugin: string;
  point: ExtensionPoint;
  code: DextoErrorCode;
  /** 401, 403 or 429 of a block, 400 of wrong settings, 500 of a failure. */
  httpStatus: number;
  /** False where the plugin is not blocking: the turn went on as if it had said nothing. */
  isStopped: boolean;
  /** The tool whose call or result was stopped. */
  toolName?: string;
  message?: string;
  notices: readonly PluginNotice[];
}

/** What came of a message. */
export interface AgentReply {
  status: 'completed' | 'blocked' | 'cancelled' | 'failed';
  /**
   * 200 for an answer, also where a tool was stopped and the model went on without it. What a plugin put in place of the message or
   * of an answer has the status of its block. 400 where the request or the settings are wrong, 499 for a turn that was cancelled, else 500.
   */
  httpStatus: number;
  /** The answer, or what the plugin, or the error, says in its place. */
  text: string;
  /** The session that it belongs to; absent where no turn began. */
  sessionId?: string;
  /** Why there is no answer. */
  code?: string;
  /** What to do about it. */
  hint?: string;
  /** In the order they came, at all four extension points. */
  stops: readonly AgentStop[];
}

/** An agent that runs in the process of its caller. */
export interface Agent {
  /** Runs one turn; turns of several sessions may run at once. Never rejects: a failure is a reply with its status. */
  run(request: AgentRequest): Promise<AgentReply>;
  /** What is wrong with config, agent file and plugins now. */
  problems(): readonly { level: string; code: string; message: string; source?: string; line?: number }[];
  /** Cancels turns, cleans plugins up and closes their storage. */
  close(): Promise<void>;
}

/**
 * Opens an agent for a program of one's own (Dexto plugin specification, Error Propagation Flow). A broken agent file or plugin does
 * not reject: each turn is refused with the reason, until it is corrected.
 * @throws Error with `code`, such as `workspace_missing` and `bundle_invalid`
 */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { log, ...where } = options;
  const runtime = await openRuntime(
    { ...where, canAsk: false },
    { write: (...line) => log?.(line[0], line[1]) },
  );
  return {
    run: (request) => runTurn(runtime, request),
    problems: () =>
      runtime.workspace.diagnostics().map(({ level, code, message, source, line }) => ({
        ...{ level, code, message },
        ...(source === undefined ? {} : { source }),
        ...(line === undefined ? {} : { line }),
      })),
    close: () => runtime.stop('shutdown'),
  };
}

/** The HTTP status of an error that `openAgent` gives: 400 for what it was asked or configured, else 500. */
export function httpStatusOfError(error: unknown): number {
  const isUsage = error instanceof PincerError && exitCodeOfError(error.code) === exitCodes.usage;
  return isUsage ? 400 : httpStatusOfFailure(error);
}

async function runTurn(runtime: Runtime, request: AgentRequest): Promise<AgentReply> {
  const { tenant } = request;
  const stops = recordStops(runtime.plugins);
  let ids: { readonly runId: string; readonly sessionId: string } | undefined;
  const start = async (): Promise<CallerOutcome> => {
    if (request.message.trim() === '') throw new PincerError('message_empty', 'The message is empty.');
    const { sessionId, model } = request;
    const session = await openSession(runtime, sessionId === undefined ? {} : { session: sessionId });
    const run = await runtime.turns.start({
      session,
      prompt: request.message,
      attachments: [],
      model:
        model === undefined
          ? runtime.models.forSession(session)
          : await runtime.models.open(model, process.cwd()),
      signal: request.signal ?? new AbortController().signal,
      emit: () => undefined,
    });
    ids = { runId: run.runId, sessionId: run.session.id };
    const outcome = await run.outcome;
    await run.settled;
    return toCallerOutcome(outcome);
  };
  try {
    const outcome = await (tenant === undefined ? start() : runtime.conversations.withTenant(tenant, start));
    const session = ids === undefined ? {} : { sessionId: ids.sessionId };
    return { ...replyOf(outcome), ...session, stops: stops.of(ids?.runId) };
  } catch (error) {
    return { ...replyOfError(error), stops: [] };
  } finally {
    stops.dispose();
  }
}

type Reply = Omit<AgentReply, 'sessionId' | 'stops'>;

function replyOf(outcome: CallerOutcome): Reply {
  switch (outcome.status) {
    case 'completed':
      return { status: 'completed', httpStatus: 200, text: outcome.text };
    case 'blocked': {
      const { text, httpStatus, code } = outcome;
      return { status: 'blocked', httpStatus, text, code };
    }
    case 'failed': {
      const { code, message, hint } = outcome;
      return {
        status: 'failed',
        httpStatus: 500,
        text: message,
        code,
        ...(hint === undefined ? {} : { hint }),
      };
    }
    case 'cancelled':
    case 'yielded':
      return cancelled;
  }
}

function replyOfError(error: unknown): Reply {
  const text = errorMessage(error);
  if (!(error instanceof PincerError)) return { status: 'failed', httpStatus: 500, text };
  const { code, hint } = error;
  if (code === 'cancelled') return cancelled;
  const httpStatus = httpStatusOfError(error);
  return { status: 'failed', httpStatus, text, code, ...(hint === undefined ? {} : { hint }) };
}

const cancelled: Reply = {
  status: 'cancelled',
  httpStatus: 499,
  text: 'The turn was cancelled.',
  code: 'cancelled',
};
