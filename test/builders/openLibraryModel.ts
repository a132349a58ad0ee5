import { PincerError } from '../../src/base/errors.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest } from '../../src/contracts/model.ts';
import { createManualClock, type ManualClock } from './manualClock.ts';
import { createNodeHttpClient } from '../../src/host/node/nodeHttpClient.ts';
import { createLibraryModel, type LibraryModelOptions } from '../../src/models/library/createLibraryModel.ts';
import type { ModelApi } from '../../src/models/library/modelErrors.ts';
import { startScriptedModelServer, type ScriptedModelServer } from './scriptedModelServer.ts';

export const modelApis: readonly ModelApi[] = ['openai-compatible', 'anthropic', 'google'];

/** A model of one protocol, the scripted server behind it, and a clock that only the test moves. */
export interface LibraryModelWorld {
  readonly server: ScriptedModelServer;
  readonly clock: WatchedClock;
  /** Cancels every request. */
  readonly abort: AbortController;
  model(options?: Partial<LibraryModelOptions>): Model;
  request(changes?: Partial<ModelRequest>): ModelRequest;
  /** Every event of one answer. */
  ask(model?: Model, changes?: Partial<ModelRequest>): Promise<ModelEvent[]>;
  /** The error of what must fail. */
  failure(model?: Model, changes?: Partial<ModelRequest>): Promise<PincerError>;
  dispose(): Promise<void>;
}

export interface WatchedClock extends ManualClock {
  /** Resolves once `count` timers have been set since the start. */
  armed(count: number): Promise<void>;
}

export const scriptedInfo: ModelInfo = {
  provider: 'local',
  model: 'scripted',
  name: 'Scripted',
  contextWindow: 32_000,
  maxOutputTokens: 4_000,
  toolCalling: true,
  imageInput: true,
  thinking: true,
};

export async function openLibraryModel(api: ModelApi): Promise<LibraryModelWorld> {
  const server = await startScriptedModelServer(api);
  const clock = createWatchedClock();
  const abort = new AbortController();
  const world: LibraryModelWorld = {
    server,
    clock,
    abort,
    model: (options = {}) =>
      createLibraryModel({
        api,
        info: scriptedInfo,
        baseUrl: server.baseUrl,
        http: createNodeHttpClient(),
        clock,
        ...options,
      }),
    request: (changes = {}) => ({
      systemPrompt: 'Be brief.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 1 }],
      tools: [],
      signal: abort.signal,
      ...changes,
    }),
    async ask(model = world.model(), changes = {}) {
      const events: ModelEvent[] = [];
      for await (const event of model.stream(world.request(changes))) events.push(event);
      return events;
    },
    failure: (model, changes) => failureOf(world.ask(model, changes)),
    dispose: () => server.dispose(),
  };
  return world;
}

/** The error of what must fail; throws where it did not. */
export async function failureOf(asked: Promise<unknown>): Promise<PincerError> {
  const error: unknown = await asked.then(
    (value) => new Error(`It did not fail: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof PincerError) return error;
  throw error;
}

function createWatchedClock(): WatchedClock {
  const clock = createManualClock();
  let count = 0;
  let changed = (): void => undefined;
  return {
    ...clock,
    after(ms, call) {
      count += 1;
      const cancel = clock.after(ms, call);
      changed();
      return cancel;
    },
    armed: (wanted) =>
      new Promise((resolve) => {
        changed = () => (count >= wanted ? resolve() : undefined);
        changed();
      }),
  };
}
