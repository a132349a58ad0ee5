import { describe, expect, it } from 'vitest';
import { modelDefaults } from './modelDefaults.ts';
import { localProviders, providerCatalog, providerOfUrl } from './providerCatalog.ts';

describe('providerCatalog', () => {
  it('says of each that needs a key where to get one, and which variable holds it', () => {
    for (const each of providerCatalog.filter(({ needsKey }) => needsKey)) {
      expect(each.keyUrl, each.id).toMatch(/^https:/u);
      expect(each.keyVariable, each.id).toMatch(/^[A-Z_]+$/u);
    }
  });

  it('has ids that the config accepts, each once', () => {
    const ids = providerCatalog.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9-]*$/u);
  });

  it('knows the local servers by their port alone', () => {
    expect(localProviders.map(({ port }) => port)).toEqual([11_434, 1_234, 8_080, 8_000]);
    expect(providerOfUrl('http://127.0.0.1:11434/v1')?.id).toBe('ollama');
    expect(providerOfUrl('http://localhost:1234/v1/')?.id).toBe('lm-studio');
    expect(providerOfUrl('https://api.anthropic.com')?.id).toBe('anthropic');
    expect(providerOfUrl('http://10.0.0.1:11434/v1')).toBeUndefined();
    expect(providerOfUrl('no address')).toBeUndefined();
  });
});

describe('modelDefaults', () => {
  it('promises little of a server that anybody may run', () => {
    const there = modelDefaults('openai-compatible', 'http://localhost:11434/v1', 'gpt-4o');
    expect(there).toEqual({ contextWindow: 32_768, maxOutputTokens: 4_096, imageInput: false });
  });

  it('knows what the services can do that do not list it', () => {
    const openAi = (id: string) => modelDefaults('openai-compatible', 'https://api.openai.com/v1', id);
    expect(openAi('gpt-4o-mini').contextWindow).toBe(128_000);
    expect(openAi('o3').imageInput).toBe(true);
    expect(openAi('o3-mini').imageInput).toBe(false);
    expect(openAi('gpt-3.5-turbo').contextWindow).toBe(32_768);
    expect(modelDefaults('anthropic', 'https://api.anthropic.com/v1', 'claude-x').imageInput).toBe(true);
  });
});
