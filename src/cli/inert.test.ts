import { expect, it } from 'vitest';
import { inertFact, inertJson, inertMessage, inertText } from './inert.ts';

const clipboard = '\u001B]52;c;ZXZpbA==\u0007';

it('a text keeps its lines and tabs and loses what a terminal obeys', () => {
  expect(inertText(`a\tb\nc${clipboard}\u009B2J\r\u202Ed`)).toBe('a\tb\nc]52;c;ZXZpbA==2Jd');
});

it('a text keeps what words are made of: joiners, accents, emoji', () => {
  expect(inertText('नमस्\u200Dते é 👩\u200D💻')).toBe('नमस्\u200Dते é 👩\u200D💻');
});

it('a fact is one line', () => {
  expect(inertFact(`x\n  tools: none found${clipboard}`)).toBe('x tools: none found]52;c;ZXZpbA==');
});

it('no line of a message passes for another message', () => {
  expect(inertMessage('broken\nerror: all is well')).toBe('broken\n  error: all is well');
});

it('JSON means the same and holds no such character', () => {
  const value = { text: `${clipboard}\u009B\u202E\n` };
  const json = inertJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(inertText(json)).toBe(json);
});
