import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createContextManager,
  type ContextManager,
  type ContextRequest,
} from '../../src/agent/context/createContextManager.ts';
import type { CompactionEventPort } from '../../src/agent/context/compactionSignals.ts';
import type { CompactionConfig } from '../../src/config/sections/agentSection.ts';
import type { AgentEvent } from '../../src/contracts/agentEvent.ts';
import type { AgentMessage, TokenUsage } from '../../src/contracts/message.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest } from '../../src/contracts/model.ts';
import { createInMemoryLog } from './inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import type { Session } from '../../src/sessions/session.ts';
import { createSessionStore, type SessionStore } from '../../src/sessions/sessionStore.ts';
import type { RunStep } from '../../src/traces/runTrace.ts';
import { createTestHooks } from './createTestHooks.ts';

/** What a scripted model does when it is asked: says a text, calls a tool, throws, or says nothing until it is cancelled. */
export type ScriptedStep =
  | { readonly text: string; readonly usage?: TokenUsage }
  | { readonly call: string; readonly arguments?: Readonly<Record<string, unknown>> }
  | { readonly fails: Error }
  | 'hangs';

/** A model that takes one step each time it is asked, and remembers the requests. */
export interface ScriptedModel extends Model {
  readonly asked: ModelRequest[];
}

export function createScriptedModel(
  steps: readonly (ScriptedStep | ((request: ModelRequest) => ScriptedStep))[],
  info: Partial<ModelInfo> = {},
): ScriptedModel {
  const asked: ModelRequest[] = [];
  return {
    asked,
    info: {
      provider: 'p',
      model: 'm',
      name: 'M',
      contextWindow: 4_000,
      maxOutputTokens: 1_000,
      toolCalling: true,
      ...info,
    },
    async *stream(request): AsyncGenerator<ModelEvent> {
      const next = steps[asked.length];
      asked.push({ ...request, messages: [...request.messages] });
      const step = typeof next === 'function' ? next(request) : next;
      if (step === undefined) throw new Error('The script has no more answers.');
      if (step === 'hangs') await new Promise<never>(() => undefined);
      else if ('fails' in step) throw step.fails;
      else if ('call' in step) {
        const id = `call-${String(asked.length)}`;
        yield { type: 'toolCall', id, name: step.call, arguments: { ...step.arguments } };
        yield { type: 'done', stopReason: 'toolUse' };
      } else {
        yield { type: 'text', text: step.text };
        yield {
          type: 'done',
          stopReason: 'stop',
          ...(step.usage === undefined ? {} : { usage: step.usage }),
        };
      }
    },
  };
}

export interface ContextWorldOptions {
  readonly config?: Partial<CompactionConfig>;
  /** Beside the model of the turn, by `provider/model`. */
  readonly models?: Readonly<Record<string, Model>>;
  readonly redact?: (text: string) => string;
  readonly internal?: CompactionEventPort;
  /** What the session holds at first. */
  readonly messages?: readonly AgentMessage[];
}

/** A session on disk and its context manager; hooks are real, their clock stands still. */
export interface ContextWorld extends AsyncDisposable {
  readonly session: Session;
  readonly store: SessionStore;
  readonly manager: ContextManager;
  readonly hooks: ReturnType<typeof createTestHooks>;
  readonly events: AgentEvent[];
  readonly steps: RunStep[];
  /** A request with the conversation as it is. */
  request(model: Model, more?: Partial<ContextRequest>): ContextRequest;
  say(...messages: readonly AgentMessage[]): Promise<void>;
}

export async function openContextWorld(options: ContextWorldOptions = {}): Promise<ContextWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'pincer-context-'));
  const hooks = createTestHooks();
  const { clock } = hooks;
  const log = createInMemoryLog();
  const store = createSessionStore({ fs: createNodeFileSystem(), clock, log, folder, channel: 'vscode' });
  const session = store.create(['/w']);
  for (const message of options.messages ?? []) await session.append(message);
  const events: AgentEvent[] = [];
  const steps: RunStep[] = [];
  const config: CompactionConfig = {
    ...{ enabled: true, at: 0.8, keepTokens: 500, model: undefined, provider: undefined },
    ...options.config,
  };
  const manager = createContextManager({
    session,
    hooks: hooks.runner,
    config: () => config,
    clock,
    log,
    findModel: (name) => options.models?.[name],
    traces: { step: (_runId, step) => void steps.push(step) },
    surface: 'vscode',
    ...(options.redact === undefined ? {} : { redact: options.redact }),
    ...(options.internal === undefined ? {} : { internal: options.internal }),
  });
  return {
    session,
    store,
    manager,
    hooks,
    events,
    steps,
    request: (model, more) => ({
      runId: 'run',
      model,
      systemPrompt: 'You help.',
      tools: [],
      messages: session.messages(),
      signal: new AbortController().signal,
      emit: (event) => void events.push(event),
      ...more,
    }),
    async say(...messages) {
      for (const message of messages) await session.append(message);
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
