import { describe, expect, it } from 'vitest';
import type { Model } from '../contracts/model.ts';
import { createModelRegistry } from './createModelRegistry.ts';

function model(provider: string, name: string): Model {
  return {
    info: { provider, model: name, name, contextWindow: 1, maxOutputTokens: 1, toolCalling: true },
    stream: () => {
      throw new Error('not asked');
    },
  };
}

function registryOf(...models: readonly Model[]) {
  const registry = createModelRegistry();
  for (const each of models) registry.register(each);
  return registry;
}

const builtIn = model('pincer', 'built-in');
const qwen = model('ollama', 'qwen3');
const routed = model('router', 'meta/llama-4');

describe('createModelRegistry', () => {
  it('finds a model by provider and name', () => {
    const registry = registryOf(builtIn, qwen);
    expect(registry.get({ provider: 'ollama', model: 'qwen3' })).toBe(qwen);
    expect(registry.get({ provider: 'ollama', model: 'built-in' })).toBeUndefined();
    expect(registry.list()).toEqual([builtIn, qwen]);
  });

  it.each([
    ['built-in', builtIn],
    ['pincer/built-in', builtIn],
    [' ollama/qwen3 ', qwen],
    ['router/meta/llama-4', routed],
  ])('resolves “%s”', (text, expected) => {
    expect(registryOf(builtIn, qwen, routed).resolve(text)).toBe(expected);
  });

  it('lists what there is, the nearest first, for a name that it does not know', () => {
    const registry = registryOf(builtIn, qwen, routed);
    expect(() => registry.resolve('ollama/qwen2')).toThrow(
      expect.objectContaining({
        code: 'model_unknown',
        message: expect.stringContaining('“ollama/qwen2”. There are: ollama/qwen3, ') as unknown,
      }),
    );
  });

  it('forgets a model that is disposed, and takes its name again', () => {
    const registry = registryOf(builtIn);
    const registration = registry.register(qwen);
    registration.dispose();
    expect(registry.list()).toEqual([builtIn]);
    registry.register(qwen);
    registration.dispose();
    expect(registry.list()).toEqual([builtIn, qwen]);
  });

  it('refuses a second model of the same name', () => {
    const registry = registryOf(qwen);
    expect(() => registry.register(model('ollama', 'qwen3'))).toThrow(
      expect.objectContaining({ code: 'model_duplicate' }),
    );
  });

  it('tells its listeners when a model comes or goes', () => {
    const registry = createModelRegistry();
    const counts: number[] = [];
    registry.onDidChange(() => counts.push(registry.list().length));
    registry.register(qwen).dispose();
    expect(counts).toEqual([1, 0]);
  });
});
