import { describe, expect, it } from 'vitest';
import { agentsSection } from '../config/sections/agentsSection.ts';
import type { SessionHeader } from '../contracts/sessionEntry.ts';
import { lineageOf } from './lineageOf.ts';
import { maxRunningEverywhere, planSpawn, startableAgents, type SpawnInput } from './planSpawn.ts';

const config = agentsSection.resolve({
  agents: {
    main: { subagents: { maxDepth: 2, allowAgents: ['helper', 'gone'] } },
    helper: { subagents: { maxChildren: 1 } },
    lone: { subagents: { maxDepth: 0 } },
    open: { subagents: { allowAgents: ['*'] } },
  },
});

function plan(more: Partial<SpawnInput> = {}): string {
  const planned = planSpawn({
    config,
    agentId: 'main',
    lineage: undefined,
    wanted: undefined,
    running: 0,
    runningEverywhere: 0,
    ...more,
  });
  return planned.kind === 'allowed' ? `${planned.agent.id} at ${planned.depth}` : planned.error.code;
}

describe('planSpawn', () => {
  it('starts the same agent, or one that is allowed; * is all that there are', () => {
    expect(plan()).toBe('main at 1');
    expect(plan({ wanted: 'helper' })).toBe('helper at 1');
    expect(plan({ wanted: 'lone' })).toBe('agent_not_allowed');
    expect(plan({ wanted: 'gone' })).toBe('agent_unknown');
    expect(plan({ agentId: 'open', wanted: 'helper' })).toBe('helper at 1');
    expect(plan({ agentId: 'open', wanted: 'gone' })).toBe('agent_unknown');
    expect(startableAgents(config, 'main').map(({ id }) => id)).toEqual(['main', 'helper']);
    expect(startableAgents(config, 'open')).toHaveLength(5 - 1);
  });

  it('goes no deeper than the agent at the root may, whatever the one in between says', () => {
    const lineage = { ancestors: ['main'], depth: 1, isLeaf: false };
    expect(plan({ agentId: 'helper', lineage })).toBe('helper at 2');
    expect(plan({ agentId: 'helper', lineage: { ...lineage, isLeaf: true } })).toBe('subagent_too_deep');
    expect(plan({ agentId: 'lone' })).toBe('subagent_too_deep');
    expect(plan({ agentId: 'lone', lineage })).toBe('subagent_too_deep');
  });

  it('starts no more than the agent may have at one time, and all sessions together', () => {
    expect(plan({ running: 3 })).toBe('main at 1');
    expect(plan({ running: 4 })).toBe('subagent_too_many');
    expect(plan({ agentId: 'helper', running: 1 })).toBe('subagent_too_many');
    expect(plan({ runningEverywhere: maxRunningEverywhere })).toBe('subagent_too_many');
  });

  it('starts none for an agent that the config no longer has', () => {
    expect(plan({ agentId: 'gone' })).toBe('subagent_too_deep');
  });
});

describe('lineageOf', () => {
  type Header = Pick<SessionHeader, 'kind' | 'agentId' | 'parent'>;
  const started = (agentId: string, parent: string): Header => ({
    kind: 'subagent',
    agentId,
    parent: { sessionId: parent },
  });
  const sessions: Readonly<Record<string, Header>> = {
    chat: { kind: 'chat', agentId: 'main' },
    one: started('helper', 'chat'),
    two: started('open', 'one'),
    a: started('helper', 'b'),
    b: started('helper', 'a'),
  };
  const lineage = async (header: Header) =>
    await lineageOf(header, (id) => Promise.resolve(sessions[id]), config);

  it('gives the agents around a started one, the outermost first; a user has started the others', async () => {
    expect(await lineage(sessions['chat']!)).toBeUndefined();
    expect(await lineage({ kind: 'chat', agentId: 'main', parent: { sessionId: 'one' } })).toBeUndefined();
    expect(await lineage(sessions['one']!)).toEqual({ ancestors: ['main'], depth: 1, isLeaf: false });
    expect(await lineage(sessions['two']!)).toEqual({
      ancestors: ['main', 'helper'],
      depth: 2,
      isLeaf: true,
    });
  });

  it('makes a leaf of one whose own agent starts none', async () => {
    expect(await lineage(started('lone', 'chat'))).toMatchObject({ isLeaf: true });
  });

  it('takes the strictest limits where the chain is broken, missing or a circle', async () => {
    for (const header of [
      started('helper', 'gone'),
      sessions['a']!,
      { kind: 'subagent', agentId: 'helper' } as const,
    ])
      expect(await lineage(header)).toMatchObject({ isLeaf: true });
    expect((await lineage(started('helper', 'gone')))?.ancestors).toEqual(['main']);
  });
});
