// Threat: a plugin has the model asked behind the user's back, with words of its own and all that was said. So the one thing that the model
// can do there is add to the file that the plugin has named, and that call is judged, shown and approved as every other one.
import { errorMessage } from '../base/errors.ts';
import type { AgentMessage } from '../contracts/message.ts';
import type { Model, ModelInfo } from '../contracts/model.ts';
import { isBuiltIn } from '../models/builtIn/builtInModelInfo.ts';
import { readAnswer, type ModelHooks } from './answer.ts';
import { estimateMessage, estimateMessages } from './context/estimateTokens.ts';
import { userMessage, type AgentTurn } from './turn.ts';

/** Answers of the model, at most. */
const maxRounds = 4;

/**
 * A hidden turn: the model reads the conversation and may write down what is worth keeping. Nothing of it enters the transcript, and a
 * failure holds nothing up. @throws PincerError `cancelled`
 */
export async function flushMemory(
  turn: AgentTurn & ModelHooks,
  { model: asked, systemPrompt: own }: { readonly model: Model; readonly systemPrompt: string },
  conversation: readonly AgentMessage[],
): Promise<void> {
  const { deps, input, meter } = turn;
  const flush = input.flush?.(turn.model);
  if (flush === undefined || flush.toolSet.tools.length === 0) return;
  const model = flush.model ?? asked;
  const info: ModelInfo = flush.model?.info ?? turn.model;
  if (isBuiltIn(info) || !info.toolCalling) return;
  const { tools, pipeline } = flush.toolSet;
  const systemPrompt = [own, flush.systemPrompt].filter((text) => text !== '').join('\n\n');
  let messages = [
    ...conversation,
    userMessage(turn, [{ type: 'text', text: flush.prompt, isContext: true }]),
  ];
  for (let round = 0; round < maxRounds && meter.findLimit('model') === undefined; round += 1) {
    turn.beforeModel(systemPrompt, messages);
    const request = { systemPrompt, messages, tools, sessionId: input.session.id, signal: input.signal };
    const answer = await readAnswer(model, request, silent, () => deps.clock.now());
    const { message, error } = answer;
    turn.afterModel(answer);
    if (error !== undefined) {
      deps.log.write('warn', `The memory was not written before the compaction: ${errorMessage(error)}`);
      return;
    }
    const estimate = { input: estimateMessages(messages), output: estimateMessage(message) };
    meter.noteAnswer(message.usage ?? estimate, answer.model.cost);
    const calls = message.content.filter((part) => part.type === 'toolCall');
    if (calls.length === 0) return;
    messages = [...messages, message];
    for (const call of calls) {
      if (call.problem !== undefined || meter.findLimit(call) !== undefined) return;
      const result = await pipeline.call(call, turn);
      meter.noteCall(call, result);
      messages = [...messages, result];
    }
  }
}

/** Nobody sees the words of a hidden turn. */
const silent = {
  text: () => undefined,
  thinking: () => undefined,
  delayed: () => undefined,
};
