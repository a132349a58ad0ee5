import { expect, it } from 'vitest';
import { builtIns } from './builtIns.ts';

it('offers the built-ins of the spec and the third of its history, by the names of the agent file', () => {
  expect(Object.keys(builtIns)).toEqual(['contentPolicy', 'responseSanitizer', 'notifications']);
  expect(builtIns['contentPolicy']?.defaults.blocking).toBe(true);
  expect(builtIns['responseSanitizer']?.defaults.blocking).toBe(false);
});

it.each([
  ['contentPolicy', { priority: 10, maxInputChars: 10_000, redactEmails: true, redactApiKeys: true }],
  [
    'responseSanitizer',
    { priority: 900, redactEmails: true, redactApiKeys: true, maxResponseLength: 50_000 },
  ],
  [
    'notifications',
    { priority: 1_000, level: 'warn', events: ['tool-failed'], timeout: 100, blocking: false },
  ],
])(
  '%s takes what the spec shows, refuses what it does not know, and can be made twice',
  async (name, config) => {
    const builtIn = builtIns[name];
    expect(builtIn?.schema.safeParse(config).success).toBe(true);
    expect(builtIn?.schema.safeParse({ ...config, redactEmail: true }).success).toBe(false);
    expect(builtIn?.schema.safeParse({ ...config, priority: 1.5 }).success).toBe(false);
    const first = builtIn?.create();
    expect(builtIn?.create()).not.toBe(first);
    await first?.initialize?.(config);
    await first?.cleanup?.();
  },
);

it('has priorities of its own for each, so that all can run with none named', () => {
  const priorities = Object.values(builtIns).map(({ defaults }) => defaults.priority);
  expect(new Set(priorities).size).toBe(priorities.length);
});
