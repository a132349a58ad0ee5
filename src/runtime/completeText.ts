import { raceAbort } from '../base/abort.ts';
import { PincerError } from '../base/errors.ts';
import type { AgentMessage } from '../contracts/message.ts';
import type { Model } from '../contracts/model.ts';
import type { Clock } from '../host/ports.ts';
import type { CompletionRequest, CompletionResult } from '../sdk/types.ts';

interface CompleteParts {
  readonly clock: Clock;
  /** The model by `provider/model`, or the user's own choice where a plugin names none. */
  readonly findModel: (name: string | undefined) => Model | undefined;
  /** The model that is no AI: it can't complete a text. */
  readonly builtIn: Model;
}

const timeoutMs = 120_000;

/**
 * `api.runtime.llm.complete`: one answer of the user's model to a plugin's own words; no tools, no hooks, nothing stored.
 * @throws PincerError `plugin_model_missing`, `model_timeout`, and whatever the model throws
 */
export async function completeText(
  { clock, findModel, builtIn }: CompleteParts,
  request: CompletionRequest,
): Promise<CompletionResult> {
  const model = findModel(request.model);
  if (model === undefined || model === builtIn) {
    throw new PincerError(
      'plugin_model_missing',
      `A plugin asks a model${request.model === undefined ? '' : ` (${request.model})`}, and there is none it can ask.`,
      { hint: 'Add one with Pincer: Add Model…, and make it the default.' },
    );
  }
  const limit = new AbortController();
  const stopTimer = clock.after(timeoutMs, () => limit.abort());
  const signal =
    request.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, request.signal]);
  try {
    const text = await raceAbort(readAnswer(model, request, signal, clock.now()), signal);
    return { text, provider: model.info.provider, model: model.info.model };
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    throw new PincerError(
      'model_timeout',
      `The model did not answer a plugin within ${String(timeoutMs / 1000)} s.`,
    );
  } finally {
    stopTimer();
  }
}

async function readAnswer(
  model: Model,
  { prompt, system, messages = [] }: CompletionRequest,
  signal: AbortSignal,
  timestamp: number,
): Promise<string> {
  const said = prompt === undefined ? messages : [...messages, { role: 'user' as const, content: prompt }];
  const systemTexts = [system, ...said.map(({ role, content }) => (role === 'system' ? content : undefined))];
  const conversation = said.flatMap(({ role, content }): readonly AgentMessage[] => {
    const text = [{ type: 'text' as const, text: content }];
    if (role === 'user') return [{ role, content: text, timestamp }];
    const { provider, model: id } = model.info;
    return role === 'assistant'
      ? [{ role, content: text, provider, model: id, stopReason: 'stop', timestamp }]
      : [];
  });
  let answer = '';
  const stream = model.stream({
    systemPrompt: systemTexts.filter((text) => text !== undefined && text !== '').join('\n\n'),
    messages: conversation,
    tools: [],
    signal,
  });
  for await (const event of stream) if (event.type === 'text') answer += event.text;
  return answer;
}
