import { describe, expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import type { AgentMessage, AssistantMessage, ToolCallPart } from '../contracts/message.ts';
import type { Model, ModelEvent, ModelRequest } from '../contracts/model.ts';
import { runLoop, type LoopInput, type LoopOutcome } from './runLoop.ts';

const done: ModelEvent = { type: 'done', stopReason: 'stop' };
const text = (value: string): ModelEvent => ({ type: 'text', text: value });
const call = (id: string, name = 'read'): ModelEvent => ({ type: 'toolCall', id, name, arguments: {} });

type Turn = readonly ModelEvent[] | ((request: ModelRequest) => AsyncIterable<ModelEvent>);

/** A model that plays one list of events for each call, and remembers what it was asked. */
function playing(turns: readonly Turn[]): Model & { readonly asked: (readonly AgentMessage[])[] } {
  const asked: (readonly AgentMessage[])[] = [];
  return {
    asked,
    info: { provider: 'p', model: 'm', name: 'M', contextWindow: 1, maxOutputTokens: 1, toolCalling: true },
    async *stream(request) {
      const turn = turns[asked.length] ?? [done];
      asked.push([...request.messages]);
      yield* typeof turn === 'function' ? turn(request) : turn;
    },
  };
}

interface Seen {
  readonly log: string[];
  readonly stored: AssistantMessage[];
}

async function run(
  model: Model,
  options: Partial<LoopInput> & { readonly onCall?: (part: ToolCallPart) => void } = {},
): Promise<{ outcome: LoopOutcome; seen: Seen }> {
  const seen: Seen = { log: [], stored: [] };
  const outcome = await runLoop(
    {
      model,
      systemPrompt: '',
      tools: [],
      messages: [],
      maxRounds: 5,
      signal: new AbortController().signal,
      ...options,
    },
    {
      beforeModel: () => void seen.log.push('before'),
      onText: (value) => void seen.log.push(`text ${value}`),
      afterModel: () => void seen.log.push('after'),
      store: async (message) => {
        seen.stored.push(message);
        return message;
      },
      callTool: async (part) => {
        seen.log.push(`call ${part.id}`);
        options.onCall?.(part);
        return {
          role: 'toolResult',
          toolCallId: part.id,
          toolName: part.name,
          content: [],
          isError: false,
          timestamp: 0,
        };
      },
      now: () => 0,
    },
  );
  return { outcome, seen };
}

describe('runLoop', () => {
  it('ends with the first answer that calls no tool', async () => {
    const { outcome, seen } = await run(playing([[text('a'), text('b'), done]]));
    expect(outcome).toMatchObject({
      status: 'completed',
      final: { content: [{ type: 'text', text: 'ab' }] },
    });
    expect(seen.log).toEqual(['before', 'text a', 'text b', 'after']);
  });

  it('carries out the calls of one answer in order and gives every result to the next model call', async () => {
    const model = playing([[call('1'), call('2'), done], [done]]);
    const { seen } = await run(model);
    expect(seen.log).toEqual(['before', 'after', 'call 1', 'call 2', 'before', 'after']);
    expect(model.asked[1]?.map((each) => (each.role === 'toolResult' ? each.toolCallId : each.role))).toEqual(
      ['assistant', '1', '2'],
    );
  });

  it('stops at the round limit', async () => {
    const { outcome, seen } = await run(playing([[call('1'), done], [call('2'), done], [done]]), {
      maxRounds: 2,
    });
    expect(outcome).toEqual({ status: 'limit' });
    expect(seen.log.filter((line) => line.startsWith('call'))).toEqual(['call 1', 'call 2']);
  });

  it('runs no call of an answer that broke off, and keeps its text', async () => {
    const broken: Turn = async function* () {
      yield text('half');
      yield call('1');
      throw new PincerError('model_unavailable', 'gone');
    };
    const { outcome, seen } = await run(playing([broken]));
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { code: 'model_unavailable' },
      partial: { content: [{ type: 'text', text: 'half' }] },
    });
    expect(seen.log).not.toContain('call 1');
  });

  it('takes a stream without an end for a malformed answer', async () => {
    const { outcome } = await run(playing([[text('x')]]));
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'model_malformed' } });
  });

  it('leaves a model that ignores the cancel, at once and with the text so far', async () => {
    const abort = new AbortController();
    const deaf: Turn = async function* () {
      yield text('so far');
      abort.abort();
      await new Promise(() => undefined);
    };
    const { outcome } = await run(playing([deaf]), { signal: abort.signal });
    expect(outcome).toMatchObject({
      status: 'cancelled',
      partial: { stopReason: 'aborted', content: [{ text: 'so far' }] },
    });
  });

  it('starts no further call after a cancel', async () => {
    const abort = new AbortController();
    const { outcome, seen } = await run(playing([[call('1'), call('2'), done]]), {
      signal: abort.signal,
      onCall: () => abort.abort(),
    });
    expect(outcome).toEqual({ status: 'cancelled', partial: undefined });
    expect(seen.log).not.toContain('call 2');
  });
});
