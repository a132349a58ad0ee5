import type { ModelEvent } from '../../../src/contracts/model.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../../src/host/createInMemorySecrets.ts';
import { createNodeHost } from '../../../src/host/node/createNodeHost.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createModelRegistry } from '../../../src/models/createModelRegistry.ts';
import { createPluginModels } from '../../../src/runtime/pluginModels/createPluginModels.ts';
import type { SampleWorld } from './pluginSample.ts';

/** The models that the plugins of a sample bring, as a runtime has them; `speed` makes pauses that many times shorter. */
export function openSampleModels(world: SampleWorld, env: Readonly<Record<string, string>> = {}, speed = 1) {
  const host = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  const models = createModelRegistry();
  const plugins = createPluginModels({
    models,
    plugins: world.manager,
    host: {
      ...host,
      env,
      clock: { ...systemClock, after: (ms, call) => systemClock.after(ms / speed, call) },
    },
    changed: () => undefined,
  });
  return {
    models,
    plugins,
    names: () => models.list().map(({ info }) => `${info.provider}/${info.model}`),
    codes: () => plugins.diagnostics().map(({ code }) => code),
    messages: () => plugins.diagnostics().map(({ message }) => message),
    /** What a model yields for one message; what it throws comes last. */
    async ask(name: string, signal = new AbortController().signal): Promise<readonly (ModelEvent | Error)[]> {
      const events: (ModelEvent | Error)[] = [];
      const request = {
        systemPrompt: 'Be short.',
        messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }], timestamp: 0 }],
        tools: [],
        signal,
      };
      try {
        for await (const event of models.resolve(name).stream(request)) events.push(event);
      } catch (error) {
        events.push(error instanceof Error ? error : new Error(String(error)));
      }
      return events;
    },
  };
}
