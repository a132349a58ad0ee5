import { raceAbort } from '../base/abort.ts';
import type { AgentMessage, ToolCallPart, ToolResultMessage } from '../contracts/message.ts';
import type { Model } from '../contracts/model.ts';
import type { SkippedCall, ToolCallContext } from '../tools/createToolPipeline.ts';
import type { ContextRequest } from './context/contextKeeper.ts';
import { estimateMessage, estimateMessages } from './context/estimateMessages.ts';
import { withOwnThoughts } from './answerParts.ts';
import type { Inbound } from './createInbound.ts';
import { readAnswer, type Answer, type AnswerListener } from './readAnswer.ts';
import { replaceImages } from './replaceImages.ts';
import type { RunToolSet } from './runInput.ts';
import type { LoopPorts } from './runLoop.ts';
import { repeatedCall, skippedCall, unreadableCall } from './skippedCall.ts';
import { traceOf } from './traceIds.ts';
import { userMessage, type Turn } from './turn.ts';

export interface LoopParts {
  readonly model: Model;
  readonly toolSet: RunToolSet;
  readonly systemPrompt: string;
  readonly inbound: Inbound;
  /** The user's message is on disk. Nothing of an answer counts before. */
  readonly saved: Promise<void>;
  /** Shows and stores a final answer. */
  readonly deliver: LoopPorts['deliver'];
}

/** The world of one turn's loop: model, tools, hooks, transcript. */
export function createLoopPorts(turn: Turn, parts: LoopParts): LoopPorts {
  const { input, scope, meter, conversation } = turn;
  const { toolSet, inbound } = parts;
  const { pipeline } = toolSet;
  const ask = createAsk(turn, parts);
  const context: ToolCallContext = {
    sessionKey: input.session.key,
    sessionId: input.session.id,
    runId: scope.runId,
    agentId: scope.agentId,
    // Another model may stand in for it between two calls.
    get model() {
      return scope.model;
    },
    ...(input.settings === undefined ? {} : { settings: input.settings }),
    ...(input.tenant === undefined ? {} : { tenant: input.tenant }),
    trace: traceOf(scope.traceIds),
    signal: input.signal,
    emit: input.emit,
    inBackground: (work) => scope.inBackground(work),
  };
  const skip = async (call: ToolCallPart, skipped: SkippedCall): Promise<ToolResultMessage> => {
    const result = await pipeline.skip(call, skipped, context);
    conversation.add(await turn.store(result));
    return result;
  };
  return {
    isCancelled: () => input.signal.aborted,
    shouldYield: () => input.shouldYield?.() ?? false,
    findLimit: (next) => meter.findLimit(next),
    async makeRoom(force) {
      if (input.context === undefined) return false;
      const request = requestOf(turn, parts, conversation.all());
      const status = await raceAbort(input.context.makeRoom(request, force), input.signal);
      if (status !== 'compacted') return false;
      conversation.reread();
      return true;
    },
    ask,
    async store(answer) {
      const released = await turn.releaseText(answer);
      input.emit({ type: 'message', message: released });
      const { message, entryId } = await turn.store(released);
      conversation.add({ message: withOwnThoughts(message, released, answer), entryId });
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
      const result = await pipeline.call(call, context);
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
function createAsk(turn: Turn, parts: LoopParts): () => Promise<Answer> {
  const { deps, input, scope, meter, conversation } = turn;
  const { model, systemPrompt, toolSet, saved } = parts;
  const listener = listenerOf(turn);
  let isToldOfImages = false;
  const readable = (messages: readonly AgentMessage[]): readonly AgentMessage[] => {
    const shown = scope.model.imageInput === true ? messages : replaceImages(messages);
    if (shown !== messages && !isToldOfImages) {
      isToldOfImages = true;
      input.emit({
        type: 'notice',
        text: `${scope.model.name} does not see images: it is told that there is one.`,
      });
    }
    return shown;
  };
  return async () => {
    const messages = readable(conversation.all());
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
    turn.afterModel(message, error);
    const isCounted = error === undefined || message.usage !== undefined;
    if (isCounted) {
      const estimate = { input: estimateMessages(messages), output: estimateMessage(message) };
      if (message.usage !== undefined) input.reports?.noteCounted(scope.runId, message.usage.input);
      meter.noteAnswer(message.usage ?? estimate, answer.model.cost);
      input.context?.noteAnswer(answer.model, requestOf(turn, parts, messages), message);
      if (input.context !== undefined) input.emit({ type: 'usage', use: input.context.use(answer.model) });
    }
    return answer;
  };
}

function listenerOf(turn: Turn): AnswerListener {
  const { input, scope } = turn;
  return {
    text: (text) => turn.showText(text),
    thinking: (text) => turn.showThinking(text),
    delayed(event) {
      if (event.type === 'retry') {
        const { attempt, waitMs, because } = event;
        input.emit({ type: 'model_retry', attempt, waitMs, because });
        scope.trace({ kind: 'retry', attempt, waitMs, error: because.message });
        return;
      }
      // A model that stands in is named before each of its answers; the user hears of it once.
      const { to, because } = event;
      const isKnown = to.provider === scope.model.provider && to.model === scope.model.model;
      scope.model = to;
      if (isKnown) return;
      input.emit({ type: 'model_fallback', to, because });
      scope.trace({ kind: 'fallback', provider: to.provider, model: to.model, error: because.message });
    },
  };
}

/** The window that counts is that of the model that answers now. */
function requestOf(
  { input, scope }: Turn,
  { model, systemPrompt, toolSet }: LoopParts,
  messages: readonly AgentMessage[],
): ContextRequest {
  return {
    runId: scope.runId,
    model: { info: scope.model, stream: (request) => model.stream(request) },
    systemPrompt,
    tools: toolSet.tools,
    messages,
    signal: input.signal,
    emit: input.emit,
  };
}
