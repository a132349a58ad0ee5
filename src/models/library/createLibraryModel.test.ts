import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  failureOf,
  modelApis,
  openLibraryModel,
  type LibraryModelWorld,
} from '../../../test/builders/openLibraryModel.ts';
import {
  createGate,
  hangingAnswer,
  textAnswer,
  toolCallAnswer,
} from '../../../test/builders/scriptedModelServer.ts';
import type { HttpClient } from '../../host/ports.ts';

describe.each(modelApis)('a model by the protocol %s', (api) => {
  let world: LibraryModelWorld;
  beforeEach(async () => {
    world = await openLibraryModel(api);
  });
  afterEach(() => world.dispose());

  describe('answers of a server', () => {
    it('streams text and ends with done', async () => {
      world.server.script(textAnswer('Hel', 'lo ü€😀'));
      expect(await world.ask()).toEqual([
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo ü€😀' },
        { type: 'done', stopReason: 'stop' },
      ]);
    });

    it('passes on each piece before the server writes the next', async () => {
      const gate = createGate();
      const end = [{ text: 'second' }, { finish: 'stop' }, { mark: true as const }];
      world.server.script({ steps: [{ text: 'first' }, { wait: gate.opened }, ...end] });
      const events = world.model().stream(world.request())[Symbol.asyncIterator]();
      expect((await events.next()).value).toEqual({ type: 'text', text: 'first' });
      gate.open();
      expect((await events.next()).value).toEqual({ type: 'text', text: 'second' });
      await events.return?.();
    });

    it('gives parallel tool calls complete, parsed and in order, after the text', async () => {
      const calls = [
        { id: 'a', name: 'write', arguments: { path: 'ä.md', content: '"x"\n' } },
        { id: 'b', name: 'read', arguments: {} },
      ];
      world.server.script(toolCallAnswer(calls, { text: 'I write.', fragmentLength: 1 }));
      expect(await world.ask()).toEqual([
        { type: 'text', text: 'I write.' },
        ...calls.map((call) => ({ type: 'toolCall', ...call })),
        { type: 'done', stopReason: 'toolUse' },
      ]);
    });

    it('tells thoughts from text, and ends them', async () => {
      world.server.script({
        steps: [{ thinking: 'Hm' }, { thinking: '.' }, { text: 'Yes.' }, { finish: 'stop' }, { mark: true }],
      });
      expect(await world.ask()).toEqual([
        { type: 'thinking', text: 'Hm' },
        { type: 'thinking', text: '.' },
        { type: 'thinkingEnd' },
        { type: 'text', text: 'Yes.' },
        { type: 'done', stopReason: 'stop' },
      ]);
    });

    it('counts tokens as the server does', async () => {
      const usage = { prompt_tokens: 7, completion_tokens: 2 };
      world.server.script({ steps: [{ text: 'a' }, { finish: 'stop' }, { usage }, { mark: true }] });
      expect((await world.ask()).at(-1)).toEqual({
        type: 'done',
        stopReason: 'stop',
        usage: { input: 7, output: 2 },
      });
    });

    it('says when the output limit ended the answer', async () => {
      world.server.script({ steps: [{ text: 'a' }, { finish: 'length' }, { mark: true }] });
      expect((await world.ask()).at(-1)).toEqual({ type: 'done', stopReason: 'length' });
    });

    it('uses its connections again in the next round', async () => {
      const model = world.model();
      for (let round = 0; round < 8; round += 1) {
        world.server.script(textAnswer('a'));
        await world.ask(model);
      }
      // The HTTP stack opens a second one before the first is free; a new one each time would make 8.
      expect(world.server.connections).toBeLessThanOrEqual(2);
    });

    it('hands on the stream as it arrives, before anything reads it', async () => {
      world.server.script(textAnswer('Hel', 'lo'));
      const raw: string[] = [];
      await world.ask(undefined, { onRaw: (chunk) => raw.push(chunk) });
      expect(raw.join('')).toContain('"Hel"');
      expect(raw.join('')).toMatch(/^(?:event|data): [\s\S]*\n\n$/u);
    });
  });

  describe('a cancelled request', () => {
    it('asks nothing when the run is cancelled already', async () => {
      world.abort.abort();
      expect((await world.failure()).code).toBe('model_aborted');
      expect(world.server.requests).toHaveLength(0);
    });

    it('stops at once before the first byte, and hangs up', async () => {
      world.server.script(hangingAnswer());
      const asked = world.failure();
      await world.server.waitForRequests(1);
      world.abort.abort();
      expect((await asked).code).toBe('model_aborted');
      await world.server.waitForAbandoned(1);
    });

    it('stops at once in the middle of an answer, and hangs up', async () => {
      world.server.script(hangingAnswer('so far'));
      const events = world.model().stream(world.request())[Symbol.asyncIterator]();
      await events.next();
      const next = failureOf(Promise.resolve(events.next()));
      world.abort.abort();
      expect((await next).code).toBe('model_aborted');
      await world.server.waitForAbandoned(1);
    });

    it('gives nothing more of what has arrived already', async () => {
      world.server.script(textAnswer('a', 'b', 'c'));
      const events = world.model().stream(world.request())[Symbol.asyncIterator]();
      await events.next();
      world.abort.abort();
      expect((await failureOf(Promise.resolve(events.next()))).code).toBe('model_aborted');
    });

    it('stops at once even if the HTTP client ignores the signal', async () => {
      const deaf: HttpClient = { send: () => new Promise(() => undefined) };
      const asked = world.failure(world.model({ http: deaf }));
      await Promise.resolve();
      world.abort.abort();
      expect((await asked).code).toBe('model_aborted');
    });

    it('hangs up when its reader leaves early', async () => {
      world.server.script(hangingAnswer('so far'));
      for await (const event of world.model().stream(world.request())) if (event.type === 'text') break;
      await world.server.waitForAbandoned(1);
    });
  });
});
