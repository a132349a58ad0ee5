import { describe, expect, it } from 'vitest';
import { estimateMessage, estimateMessages, estimateTokens, estimateTools } from './estimateTokens.ts';

/** Texts that the tokenizers of OpenAI's models (cl100k_base, o200k_base) have counted. */
const counted: readonly { text: string; cl100k: number; o200k: number }[] = [
  { text: 'tiktoken is great!', cl100k: 6, o200k: 6 },
  { text: '2 + 2 = 4', cl100k: 7, o200k: 7 },
  { text: 'お誕生日おめでとう', cl100k: 9, o200k: 8 },
];

describe('estimateTokens', () => {
  it.each(counted)('is within two tokens of what tokenizers count: $text', ({ text, cl100k }) => {
    expect(Math.abs(estimateTokens(text) - cl100k)).toBeLessThanOrEqual(2);
  });

  it('counts words, numbers by three digits, signs by two and lines', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('one two three')).toBe(3);
    expect(estimateTokens('1234567')).toBe(3);
    expect(estimateTokens('======')).toBe(3);
    expect(estimateTokens('a\nb')).toBe(3);
    expect(estimateTokens('readFileSync')).toBe(3);
  });

  it('counts a character of Chinese, Japanese or Korean as about one token', () => {
    expect(estimateTokens('读'.repeat(100))).toBe(90);
    expect(estimateTokens('설정을'.repeat(10))).toBe(27);
  });

  it('does not take a long run of letters for one word', () => {
    expect(estimateTokens('a'.repeat(6_000))).toBe(1_000);
    expect(estimateTokens('QWxhZGRpbjpvcGVuIHNlc2FtZQ'.repeat(10))).toBeGreaterThan(100);
  });

  it('grows with each text that is added, give or take a joined word', () => {
    const [a, b] = ['function run() {\n  return 1;\n}', ' const value = items.at(3);'];
    const sum = estimateTokens(a) + estimateTokens(b);
    expect(Math.abs(estimateTokens(a + b) - sum)).toBeLessThanOrEqual(2);
  });
});

describe('estimateMessage', () => {
  const timestamp = 0;

  it('adds the overhead of a message, a flat size for a picture, and nothing for details', () => {
    const text = { type: 'text', text: 'one two' } as const;
    const image = { type: 'image', data: 'x'.repeat(100_000), mimeType: 'image/png' } as const;
    const result = {
      ...({ role: 'toolResult', toolCallId: 'c', toolName: 'read', isError: false, timestamp } as const),
      content: [text],
      details: { long: 'x'.repeat(10_000) },
    };
    expect(estimateMessage({ role: 'user', content: [text], timestamp })).toBe(6);
    expect(estimateMessage({ role: 'user', content: [text, image], timestamp })).toBe(1_206);
    expect(estimateMessage(result)).toBe(14);
    expect(estimateMessages([result, result])).toBe(28);
  });

  it('counts the arguments of calls as JSON', () => {
    const call = { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a' } } as const;
    const base = { role: 'assistant', provider: 'p', model: 'm', stopReason: 'toolUse', timestamp } as const;
    // 4 for the message, 8 for the call, 1 for `read`, 6 for `{"path":"a"}`.
    expect(estimateMessage({ ...base, content: [call] })).toBe(19);
  });

  it('counts name, description and schema of a tool', () => {
    const tool = { name: 'read', description: 'Reads a file', parameters: { type: 'object' } };
    // 10 for the tool, 1, 3, and 6 for `{"type":"object"}`.
    expect(estimateTools([tool])).toBe(20);
    expect(estimateTools([])).toBe(0);
  });
});
