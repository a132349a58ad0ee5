import { raceAbort } from '../base/abort.ts';
import { errorMessage } from '../base/errors.ts';
import type {
  AgentMessage,
  ToolCallPart,
  ToolResultMessage,
  UserMessage,
  ImagePart,
  TextPart,
} from '../contracts/message.ts';
import type { Model } from '../contracts/model.ts';
import type { ToolDefinition } from '../contracts/tool.ts';
import type { WaitingMessage } from '../sessions/createInbox.ts';
import { closeOpenCalls } from '../sessions/closeOpenCalls.ts';
import { repeatedCall, skippedCall, unreadableCall, type SkippedCall } from '../tools/pipeline/refusals.ts';
import {
  withOwnThoughts,
  readAnswer,
  type ModelAnswer,
  type AnswerListener,
  type ModelHooks,
} from './answer.ts';
import type { ContextRequest } from './context/createContextManager.ts';
import type { AssembledHistory } from './context/openedEngine.ts';
import {
  estimateMessage,
  estimateMessages,
  estimateTokens,
  estimateTools,
} from './context/estimateTokens.ts';
import { flushMemory } from './flushMemory.ts';
import type { LoopPorts } from './runLoop.ts';
import type { OutputHooks } from './outputHooks.ts';
import type { PromptHooks } from './promptHooks.ts';
import { blockOf, contentOf, userMessage, type AgentTurn, type RunToolSet, type UserWords } from './turn.ts';

/** A turn with the hooks of its stages. */
export type HookedTurn = AgentTurn & PromptHooks & ModelHooks & OutputHooks;

/** What a turn has once its prompt and model stand. */
export interface LoopParts {
  readonly model: Model;
  readonly toolSet: RunToolSet;
  readonly systemPrompt: string;
  readonly inbound: Inbound;
  /** The user's message is on disk. Nothing of an answer counts before. */
  readonly saved: Promise<void>;
  /** The prompt has reached a model. Called once; may reject. */
  readonly wasRead: () => Promise<void>;
  /** Shows and stores a final answer. */
  readonly deliver: LoopPorts['deliver'];
}

/** The world of one turn's loop: model, tools, hooks, transcript. */
export function createLoopPorts(turn: HookedTurn, parts: LoopParts): LoopPorts {
  const { input, meter, conversation } = turn;
  const { toolSet, inbound } = parts;
  const { pipeline } = toolSet;
  const assembly = createAssembly(turn, parts.systemPrompt, toolSet.tools);
  const ask = createAsk(turn, parts, assembly);
  const skip = async (call: ToolCallPart, skipped: SkippedCall): Promise<ToolResultMessage> => {
    const result = await pipeline.skip(call, skipped, turn);
    conversation.add(await turn.store(result));
    return result;
  };
  return {
    isCancelled: () => input.signal.aborted,
    shouldYield: () => input.shouldYield?.() ?? false,
    findLimit: (next) => meter.findLimit(next),
    async makeRoom(force) {
      if (input.context === undefined) return false;
      const next = await assembly.next();
      if (next.isRoomManaged && !force) return false;
      const request = {
        ...requestOf(turn, { ...parts, ...next }, next.measured),
        beforeCompaction: () =>
          flushMemory(turn, { model: parts.model, systemPrompt: next.systemPrompt }, next.messages),
      };
      const status = await raceAbort(input.context.makeRoom(request, force), input.signal);
      if (status !== 'compacted') return false;
      conversation.reread();
      assembly.renew();
      return true;
    },
    ask,
    async store(answer) {
      const released = await turn.releaseText(answer);
      input.emit({ type: 'message', message: released.message });
      const { message, entryId } = await turn.store(released.message);
      conversation.add({ message: withOwnThoughts(message, released.message, answer), entryId });
      turn.messageSent(released, entryId);
    },
    async callTool(call) {
      if (call.problem !== undefined) {
        // Counted: a model that can't do better must come to an end.
        meter.noteCall(call, await skip(call, unreadableCall(call)));
        return;
      }
      if (meter.isRepeated(call)) {
        await skip(call, repeatedCall(call));
        return;
      }
      const result = await pipeline.call(call, turn);
      meter.noteCall(call, result);
      conversation.add(await turn.store(result));
    },
    async skipCall(call, why) {
      await skip(call, skippedCall(why));
    },
    takeSteering: () => inbound.takeSteering(),
    takeFollowUp: () => inbound.takeFollowUp(),
    enter: (messages, skipped) => inbound.enter(messages, skipped),
    async revise(final) {
      const revision = await turn.beforeFinalize(final, [...conversation.all(), final]);
      if (revision === undefined) return false;
      conversation.add({ message: final });
      conversation.add({ message: userMessage(turn, [{ type: 'text', text: revision, isContext: true }]) });
      return true;
    },
    deliver: parts.deliver,
  };
}

/** One model call with the conversation as it is, its hooks and its numbers. */
function createAsk(turn: HookedTurn, parts: LoopParts, assembly: Assembly): () => Promise<ModelAnswer> {
  const { deps, input, meter } = turn;
  const { model, toolSet, saved } = parts;
  const noteRead = createNoteRead(turn, parts);
  const listener = listenerOf(turn);
  let isToldOfImages = false;
  const readable = (messages: readonly AgentMessage[]): readonly AgentMessage[] => {
    const shown = turn.model.imageInput === true ? messages : replaceImages(messages);
    if (shown !== messages && !isToldOfImages) {
      isToldOfImages = true;
      input.emit({
        type: 'notice',
        text: `${turn.model.name} does not see images: it is told that there is one.`,
      });
    }
    return shown;
  };
  return async () => {
    const { systemPrompt, ...next } = await assembly.next();
    const messages = readable(next.messages);
    turn.beforeModel(systemPrompt, messages);
    const { settings, onRaw, session, signal } = input;
    const request = {
      systemPrompt,
      messages,
      tools: toolSet.tools,
      sessionId: session.id,
      ...(settings === undefined ? {} : { settings }),
      ...(onRaw === undefined ? {} : { onRaw }),
      signal,
    };
    const answer = await readAnswer(model, request, listener, () => deps.clock.now(), saved);
    const { message, error } = answer;
    turn.afterModel(answer);
    // What broke off had begun: the model has read what it was asked.
    if (error === undefined || message.content.length > 0) await noteRead();
    const isCounted = error === undefined || message.usage !== undefined;
    if (isCounted) {
      const estimate = { input: estimateMessages(messages), output: estimateMessage(message) };
      if (message.usage !== undefined) input.reports?.noteCounted(turn.runId, message.usage.input);
      meter.noteAnswer(message.usage ?? estimate, answer.model.cost);
      input.context?.noteAnswer(answer.model, requestOf(turn, { ...parts, systemPrompt }, messages), message);
      if (input.context !== undefined) input.emit({ type: 'usage', use: input.context.use(answer.model) });
    }
    return answer;
  };
}

/** A disk that fails costs no answer: the texts that plugins had queued come once more. */
function createNoteRead({ deps }: HookedTurn, { wasRead }: LoopParts): () => Promise<void> {
  let isNoted = false;
  return async () => {
    if (isNoted) return;
    isNoted = true;
    try {
      await wasRead();
    } catch (error) {
      deps.log.write('warn', `Texts for this turn could not be taken off their list: ${errorMessage(error)}`);
    }
  };
}

function listenerOf(turn: HookedTurn): AnswerListener {
  const { input } = turn;
  return {
    text: (text) => turn.showText(text),
    thinking: (text) => turn.showThinking(text),
    delayed(event) {
      if (event.type === 'retry') {
        const { attempt, waitMs, because } = event;
        input.emit({ type: 'model_retry', attempt, waitMs, because });
        turn.trace({ kind: 'retry', attempt, waitMs, error: because.message });
        return;
      }
      // A model that stands in is named before each of its answers; the user hears of it once.
      const { to, because } = event;
      const isKnown = to.provider === turn.model.provider && to.model === turn.model.model;
      turn.model = to;
      if (isKnown) return;
      input.emit({ type: 'model_fallback', to, because });
      turn.trace({ kind: 'fallback', provider: to.provider, model: to.model, error: because.message });
    },
  };
}

/** The window that counts is that of the model that answers now. */
function requestOf(
  turn: HookedTurn,
  { model, systemPrompt, toolSet }: LoopParts,
  messages: readonly AgentMessage[],
): ContextRequest {
  return {
    runId: turn.runId,
    model: { info: turn.model, stream: (request) => model.stream(request) },
    systemPrompt,
    tools: toolSet.tools,
    messages,
    signal: turn.input.signal,
    emit: turn.input.emit,
    engine: turn.input.engine,
  };
}

/** What the next request has of the conversation. */
interface NextRequest {
  readonly systemPrompt: string;
  readonly messages: readonly AgentMessage[];
  /** What counts for the room that is left: `messages`, or the session's own where that is more. */
  readonly measured: readonly AgentMessage[];
  /** True where a context engine sees to the room by itself. */
  readonly isRoomManaged: boolean;
}

interface Assembly {
  /** Never rejects but with `cancelled`. */
  next(): Promise<NextRequest>;
  /** The history is another one now. */
  renew(): void;
}

/** The conversation as it is, or what a context engine made of its history, with what the turn has said behind it. */
function createAssembly(turn: AgentTurn, systemPrompt: string, tools: readonly ToolDefinition[]): Assembly {
  const { input, conversation } = turn;
  let asked: Promise<AssembledHistory | undefined> | undefined;
  const ask = async (): Promise<AssembledHistory | undefined> => {
    const { engine, signal } = input;
    if (engine === undefined) return undefined;
    const own = estimateMessages(conversation.own().map(({ message }) => message));
    const taken = estimateTokens(systemPrompt) + estimateTools(tools) + own;
    return await engine.assemble({
      model: turn.model,
      history: closeOpenCalls(conversation.history()),
      tokenBudget: Math.max(0, budgetOf(turn) - taken),
      toolNames: tools.map(({ name }) => name),
      prompt: turn.words.text,
      signal,
    });
  };
  return {
    async next() {
      const assembled = await (asked ??= ask());
      const all = conversation.all();
      if (assembled === undefined)
        return { systemPrompt, messages: all, measured: all, isRoomManaged: false };
      const messages = conversation.all(assembled.messages);
      const isLonger = estimateMessages(all) > estimateMessages(messages);
      return {
        systemPrompt: [assembled.systemPromptAddition, systemPrompt]
          .filter((text) => text !== '')
          .join('\n\n'),
        messages,
        measured: assembled.measuredBy === 'session' && isLonger ? all : messages,
        isRoomManaged: assembled.measuredBy === 'engine',
      };
    },
    renew() {
      asked = undefined;
    },
  };
}

/** Tokens that a request may have. */
export function budgetOf({ input, model }: AgentTurn): number {
  return input.context?.promptBudget(model) ?? model.contextWindow;
}

// Threat: what the user says while a turn runs must not slip past a plugin that judges what models may read. Each message goes
// through `beforeLLMRequest` and `before_agent_run` before anything stores it in the conversation.

/** What the user said while a turn runs, on its way into the conversation. */
interface Inbound {
  takeSteering(): readonly WaitingMessage[];
  takeFollowUp(): WaitingMessage | undefined;
  /** Stores what was taken, or what a plugin put in its place; `skipped` calls were not carried out for it. */
  enter(messages: readonly WaitingMessage[], skipped: number): Promise<void>;
  /** The turn is over: what was taken and did not get into the conversation waits again. */
  close(): void;
}

/** The words as they may be stored, and whether they stand for some that were blocked. */
type JudgedWords = { readonly words: UserWords } & Pick<UserMessage, 'blocked'>;

export function createInbound(turn: HookedTurn, systemPrompt: string): Inbound {
  const { input, conversation, deps } = turn;
  const { inbox, session } = input;
  const taken = new Set<string>();

  const take = (kind: WaitingMessage['kind']): readonly WaitingMessage[] => {
    const messages = inbox?.take(session.id, kind) ?? [];
    for (const { id } of messages) taken.add(id);
    return messages;
  };
  const replaceBy = (text: string, origin: Pick<UserMessage, 'blocked'> = {}): JudgedWords => {
    turn.trace({ kind: 'message', outcome: 'replaced' });
    return { words: { text, attachments: [] }, ...origin };
  };
  /** The words as they may be stored. */
  const judge = async (said: UserWords, messageId: string): Promise<JudgedWords> => {
    turn.trace({ kind: 'message', outcome: 'received' });
    turn.messageReceived(said, messageId);
    const verdict = await turn.beforeRequest(said);
    if (verdict.outcome === 'blocked') {
      const { pluginId, message, replacement } = verdict;
      input.emit({ type: 'notice', text: `Plugin ${pluginId} stopped your message: ${message}` });
      return replaceBy(replacement);
    }
    const { words } = verdict;
    const gate = await turn.beforeAgentRun(conversation.all(), systemPrompt, words.text);
    return gate.outcome === 'pass' ? { words } : replaceBy(gate.message, blockOf(gate));
  };
  /** The transcript has the message and decides: where this fails, it is not read twice all the same. */
  const settle = async (id: string): Promise<void> => {
    taken.delete(id);
    try {
      await inbox?.settle(session.id, [id]);
    } catch (error) {
      deps.log.write(
        'warn',
        `A message that was read could not be taken off the list: ${errorMessage(error)}`,
      );
    }
  };

  return {
    takeSteering: () => take('steer'),
    takeFollowUp: () => take('followUp')[0],
    async enter(messages, skipped) {
      for (const [index, { id, kind, text }] of messages.entries()) {
        turn.messageId = crypto.randomUUID();
        const { words, ...judged } = await judge({ text, attachments: [] }, turn.messageId);
        if (kind === 'followUp') turn.meter.restart();
        const said = userMessage(turn, contentOf(words), { via: kind, inboxId: id, ...judged });
        const stored = await turn.store(said, turn.messageId);
        conversation.add(stored);
        await settle(id);
        const { message } = stored;
        if (kind === 'followUp') input.emit({ type: 'follow_up', message });
        else input.emit({ type: 'steered', message, skipped: index === 0 ? skipped : 0 });
      }
    },
    close() {
      if (taken.size > 0) inbox?.release(session.id, [...taken]);
      taken.clear();
    },
  };
}

const placeholder: TextPart = {
  type: 'text',
  text: '[An image was here. You can not see images: say so where it matters.]',
  isContext: true,
};

/** The conversation for a model that reads no images: each is a word that says so. Gives the same list where there are none. Pure. */
function replaceImages(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  return messages.some(hasImage) ? messages.map(withoutImages) : messages;
}

function hasImage({ content }: AgentMessage): boolean {
  return content.some((part) => part.type === 'image');
}

function withoutImages(message: AgentMessage): AgentMessage {
  if (message.role === 'assistant' || !hasImage(message)) return message;
  return { ...message, content: message.content.map(toText) };
}

function toText(part: TextPart | ImagePart): TextPart {
  return part.type === 'image' ? placeholder : part;
}
