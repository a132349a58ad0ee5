import { describe, expect, it } from 'vitest';
import { planModelAddress } from './planModelAddress.ts';
import type { ModelApi } from './modelErrors.ts';

const plan = (
  baseUrl: string,
  apiKey?: string,
  headers: Record<string, string> = {},
  api: ModelApi = 'openai-compatible',
) => planModelAddress({ api, baseUrl, model: 'm', apiKey, headers });

describe('planModelAddress', () => {
  it.each([
    ['http://localhost:11434/v1', 'http://localhost:11434/v1/chat/completions'],
    [' http://localhost:11434/v1// ', 'http://localhost:11434/v1/chat/completions'],
    ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1/chat/completions'],
    ['https://a.example.com/x?api-version=1', 'https://a.example.com/x/chat/completions?api-version=1'],
  ])('finds the endpoint of %s', (baseUrl, url) => {
    expect(plan(baseUrl).url('chat/completions')).toBe(url);
  });

  it.each<readonly [ModelApi, string, string]>([
    ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
    ['anthropic', 'https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1'],
    ['google', 'https://google.example.com/', 'https://google.example.com/v1beta'],
    ['google', 'https://google.example.com/v1beta/models', 'https://google.example.com/v1beta'],
    ['openai-compatible', 'http://localhost:8080', 'http://localhost:8080'],
  ])('knows the version that %s has where %s names none', (api, baseUrl, found) => {
    expect(plan(baseUrl, undefined, {}, api).server.baseUrl).toBe(found);
  });

  it('shows the base URL without its query, which may hold a key', () => {
    expect(plan('https://a.example.com/x?key=abcd').server.baseUrl).toBe('https://a.example.com/x');
  });

  it.each(['', 'localhost:11434/v1', 'file:///v1', 'ftp://x/v1'])('refuses the address “%s”', (baseUrl) => {
    expect(() => plan(baseUrl)).toThrow(expect.objectContaining({ code: 'model_misconfigured' }));
  });

  it('refuses a user name in the address, without repeating it', () => {
    expect(() => plan('http://me:hunter2@host/v1')).toThrow(/^(?!.*hunter2).*host.*password/u);
  });

  it('refuses a key that HTTP can not carry, without repeating it', () => {
    expect(() => plan('http://x/v1', 'sk-a\nsk-b')).toThrow(/^(?!.*sk-)/u);
    expect(() => plan('http://x/v1', undefined, { 'x-key': 'schlüssel' })).toThrow(/^(?!.*schl).*x-key/u);
  });

  it.each<readonly [ModelApi, string, string]>([
    ['openai-compatible', 'authorization', 'Bearer sk-abc'],
    ['anthropic', 'x-api-key', 'sk-abc'],
    ['google', 'x-goog-api-key', 'sk-abc'],
  ])('sends the key as %s wants it, without the white space of a paste', (api, header, value) => {
    expect(plan('http://x/v1', ' sk-abc\n', {}, api).headers[header]).toBe(value);
    expect(plan('http://x/v1', undefined, {}, api).headers[header]).toBeUndefined();
  });

  it('quotes what a server says without key, header values and control characters', () => {
    const { server } = plan('http://x/v1', 'sk-abc', { 'x-token': 'another-secret' });
    expect(server.quote('Bearer sk-abc\u0007 and another-secret')).toBe('Bearer [key] and [key]');
  });
});
