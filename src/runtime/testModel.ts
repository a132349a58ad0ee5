import type { Model, ModelEvent } from '../contracts/model.ts';
import type { Clock } from '../host/ports.ts';

/** How a model answered a trial question. */
export interface ModelTrial {
  /** What it said, all of it. */
  readonly text: string;
  /** Milliseconds to the first piece of the answer, and to its end. */
  readonly firstMs: number;
  readonly totalMs: number;
}

const question = 'Reply with the single word: ready';

/** Asks a model for one word: that it answers is the test. No tools, nothing stored. @throws PincerError `model_*` */
export async function testModel(model: Model, clock: Clock, signal: AbortSignal): Promise<ModelTrial> {
  const start = clock.monotonic();
  const parts: string[] = [];
  let firstMs: number | undefined;
  const request = {
    systemPrompt: '',
    messages: [
      { role: 'user' as const, content: [{ type: 'text' as const, text: question }], timestamp: clock.now() },
    ],
    tools: [],
    signal,
  };
  for await (const event of model.stream(request)) {
    if (isContent(event)) firstMs ??= clock.monotonic() - start;
    if (event.type === 'text') parts.push(event.text);
  }
  const totalMs = clock.monotonic() - start;
  return { text: parts.join('').trim(), firstMs: firstMs ?? totalMs, totalMs };
}

function isContent({ type }: ModelEvent): boolean {
  return type !== 'retry' && type !== 'fallback';
}
