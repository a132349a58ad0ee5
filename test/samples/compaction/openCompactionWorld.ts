import { runAgent } from '../../../src/agent/runAgent.ts';
import type { AgentEvent, RunOutcome } from '../../../src/contracts/agentEvent.ts';
import type { AgentMessage } from '../../../src/contracts/message.ts';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import type { ToolPipeline } from '../../../src/tools/createToolPipeline.ts';
import { findConversationFault } from '../../builders/findConversationFault.ts';
import {
  createScriptedModel,
  openContextWorld,
  type ContextWorld,
  type ContextWorldOptions,
  type ScriptedModel,
  type ScriptedStep,
} from '../../builders/openContextWorld.ts';

/** What a model answers in a turn, and when it is asked for a summary; each in its order. */
export interface Script {
  readonly turn: readonly ScriptedStep[];
  readonly summaries?: readonly ScriptedStep[];
}

export interface CompactionWorld extends ContextWorld {
  readonly events: AgentEvent[];
  /** A turn of the real loop; each request to the model is checked as a server would. */
  turn(
    prompt: string,
    script: Script,
    signal?: AbortSignal,
    onEvent?: (event: AgentEvent) => void,
  ): Promise<{ readonly outcome: RunOutcome; readonly model: TurnModel }>;
}

export interface TurnModel extends ScriptedModel {
  /** Requests for an answer, in order. */
  answers(): readonly ModelRequest[];
  /** Requests for a summary, in order. */
  summaries(): readonly ModelRequest[];
}

export interface CompactionWorldOptions extends ContextWorldOptions {
  /** What a tool returns, by the path it is asked for. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Sessions on disk, the context manager, hooks and the agent's own loop; model and tools are scripted. The window has 4,000 tokens. */
export async function openCompactionWorld(options: CompactionWorldOptions = {}): Promise<CompactionWorld> {
  const world = await openContextWorld(options);
  const { session, manager, hooks, events } = world;
  const log = createInMemoryLog();
  return Object.assign(world, {
    async turn(
      prompt: string,
      script: Script,
      signal = new AbortController().signal,
      onEvent?: (event: AgentEvent) => void,
    ) {
      const model = createTurnModel(script);
      const run = runAgent(
        {
          hooks: hooks.runner,
          toolsFor: () => ({ tools, pipeline: createFilePipeline(options.files ?? {}) }),
          findModel: () => undefined,
          clock: hooks.clock,
          log,
        },
        {
          ...{ session, prompt, attachments: [], model, context: manager, signal },
          ...{ limits, surface: 'vscode', workspaceDir: undefined },
          promptParts: [
            { ...{ id: 'identity', title: 'Identity', place: 'system' }, owner: pincer, text: 'You help.' },
          ],
          emit: (event) => {
            events.push(event);
            onEvent?.(event);
          },
        },
      );
      const outcome = await run.outcome;
      await run.settled;
      return { outcome, model };
    },
  });
}

const pincer = { kind: 'pincer' } as const;
const limits = { maxRounds: 40, maxToolCalls: 200, maxMs: 600_000, maxTokens: undefined, maxCost: undefined };
const tools = ['read', 'write'].map((name) => ({
  name,
  owner: { kind: 'core' } as const,
  description: 'A tool.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}));

function createFilePipeline(files: Readonly<Record<string, string>>): ToolPipeline {
  const finish: ToolPipeline['skip'] = (call, { result: { content, isError = false } }) =>
    Promise.resolve({
      ...{ role: 'toolResult', toolCallId: call.id, toolName: call.name, content, isError, timestamp: 0 },
    });
  return {
    call: (call, context) => {
      const { path } = call.arguments;
      const text = typeof path === 'string' ? (files[path] ?? 'Done.') : 'Done.';
      return finish(call, { result: { content: [{ type: 'text', text }] }, because: '' }, context);
    },
    skip: finish,
  };
}

function createTurnModel(script: Script): TurnModel {
  const left = { turn: [...script.turn], summaries: [...(script.summaries ?? [])] };
  const isSummary = ({ tools: offered }: ModelRequest): boolean => offered.length === 0;
  const step = (request: ModelRequest): ScriptedStep => {
    const fault = findConversationFault(request.messages);
    if (fault !== undefined) return { fails: new Error(`A server would refuse this: ${fault}.`) };
    return (
      left[isSummary(request) ? 'summaries' : 'turn'].shift() ?? { fails: new Error('The script is over.') }
    );
  };
  const model = createScriptedModel(Array.from({ length: 50 }, () => step));
  return {
    ...model,
    answers: () => model.asked.filter((request) => !isSummary(request)),
    summaries: () => model.asked.filter(isSummary),
  };
}

/** About so many tokens: each word is one. */
export function long(tokens: number, word = 'word'): string {
  return `${word} `.repeat(tokens);
}

/** All texts of a message. */
export function textIn(message: AgentMessage | undefined): string {
  return (message?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** All texts of a request, the system prompt included. */
export function textsOf({ systemPrompt, messages }: ModelRequest): string {
  return [systemPrompt, ...messages.map(textIn)].join('\n');
}
