import { describe, expect, it } from 'vitest';
import type { CommandDecision } from './decideCommand.ts';
import { decideExec, type ExecMode } from './decideExec.ts';

const shipped: ExecMode = { security: 'allowlist', ask: 'on-miss' };

function decide(
  verdict: CommandDecision['verdict'],
  config: Partial<ExecMode> = {},
  { call = {}, notMeant }: { call?: Partial<ExecMode>; notMeant?: string } = {},
): string {
  const decision = { verdict, reason: 'Because.' };
  const why = notMeant === undefined ? {} : { notMeant };
  return decideExec({ config: { ...shipped, ...config }, call, decision, ...why }).verdict;
}

describe('decideExec', () => {
  it('runs what the allow list covers and asks for the rest', () => {
    expect(decide('allowed')).toBe('run');
    expect(decide('ask')).toBe('ask');
  });

  it.each<Partial<ExecMode>>([{}, { security: 'full' }, { security: 'full', ask: 'off' }, { ask: 'always' }])(
    'refuses what the deny list names: %j',
    (config) => {
      expect(decide('denied', config)).toBe('refuse');
    },
  );

  it('refuses all with security deny', () => {
    expect(decide('allowed', { security: 'deny', ask: 'always' })).toBe('refuse');
  });

  it('asks for everything with ask always', () => {
    expect(decide('allowed', { ask: 'always' })).toBe('ask');
    expect(decide('allowed', { security: 'full', ask: 'always' })).toBe('ask');
  });

  it('refuses a miss where nobody is asked', () => {
    expect(decide('ask', { ask: 'off' })).toBe('refuse');
    expect(decide('allowed', { ask: 'off' })).toBe('run');
  });

  it('runs all the rest with security full', () => {
    expect(decide('ask', { security: 'full' })).toBe('run');
    expect(decide('ask', { security: 'full' }, { notMeant: 'It is another.' })).toBe('run');
  });

  it('lets the call be stricter, never looser', () => {
    expect(decide('allowed', {}, { call: { security: 'deny' } })).toBe('refuse');
    expect(decide('allowed', {}, { call: { ask: 'always' } })).toBe('ask');
    expect(decide('ask', {}, { call: { security: 'full', ask: 'off' } })).toBe('ask');
    expect(decide('ask', { security: 'deny' }, { call: { security: 'full' } })).toBe('refuse');
    expect(decide('ask', { security: 'full' }, { call: { security: 'allowlist' } })).toBe('ask');
  });

  it('asks for an allowed command that is not the one that the allow list means', () => {
    expect(decide('allowed', {}, { notMeant: 'It is another.' })).toBe('ask');
    expect(decide('allowed', { ask: 'off' }, { notMeant: 'It is another.' })).toBe('refuse');
  });
});
