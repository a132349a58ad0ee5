import { describe, expect, it } from 'vitest';
import type { TurnLimits } from '../../config/sections/agentSection.ts';
import { decideLimit, type TurnUse } from './decideLimit.ts';

const limits: TurnLimits = { maxRounds: 3, maxToolCalls: 4, maxMs: 60_000, maxTokens: 1_000, maxCost: 0.5 };
const unused: TurnUse = { rounds: 0, toolCalls: 0, ms: 0, tokens: 0, cost: 0 };

describe('decideLimit', () => {
  it.each([
    ['round_limit', { rounds: 3 }, 'model', '3 model answers', 'agent.maxRounds'],
    ['call_limit', { toolCalls: 4 }, 'tool', '4 tool calls', 'agent.limits.maxToolCalls'],
    ['time_limit', { ms: 60_000 }, 'tool', '1 minute;', 'agent.limits.maxMinutes'],
    ['time_limit', { ms: 60_000 }, 'model', '1 minute;', 'agent.limits.maxMinutes'],
    ['token_limit', { tokens: 1_000 }, 'tool', '1000 tokens', 'agent.limits.maxTokens'],
    ['cost_limit', { cost: 0.5 }, 'model', '$0.5000', 'agent.limits.maxCost'],
  ] as const)('%s: names what was used and the setting to raise', (code, use, next, words, setting) => {
    const limit = decideLimit(limits, { ...unused, ...use }, next);
    expect(limit?.code).toBe(code);
    expect(limit?.message).toContain(words);
    expect(limit?.hint).toContain(setting);
  });

  it('lets what an answer asked for be done after the last round, and the model speak after the last call', () => {
    expect(decideLimit(limits, { ...unused, rounds: 3 }, 'tool')).toBeUndefined();
    expect(decideLimit(limits, { ...unused, toolCalls: 4 }, 'model')).toBeUndefined();
  });

  it('knows no limit of tokens and money where none is set', () => {
    const free = { ...limits, maxTokens: undefined, maxCost: undefined };
    expect(decideLimit(free, { ...unused, tokens: 1e12, cost: 1e12 }, 'model')).toBeUndefined();
  });
});
