import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConfigFile } from '../../config/configSchema.ts';
import { mergeConfig } from '../../config/mergeConfig.ts';
import { decideToolPolicy } from './decideToolPolicy.ts';
import { planPolicyLayers, type PolicyRun } from './planPolicyLayers.ts';

const run: PolicyRun = { agentId: 'main', provider: 'ollama', model: 'qwen3', sandboxed: false };
const names = ['read', 'write', 'apply_patch', 'exec', 'web_fetch', 'session_status', 'memory_get', 'deploy'];

const plan = (user: ConfigFile, more: Partial<PolicyRun> = {}, ...workspaces: ConfigFile[]) =>
  planPolicyLayers(
    mergeConfig(
      user,
      workspaces.map((config, index) => ({ source: `/w${index}/.pincer/config.jsonc`, config })),
    ).config,
    { ...run, ...more },
  );

/** The names that are left; `deploy` is an optional tool of the plugin p. */
const offered = (...parts: Parameters<typeof plan>): string[] => {
  const layers = plan(...parts);
  return names.filter((name) => {
    const isPlugin = name === 'deploy';
    const owner = isPlugin ? ({ kind: 'plugin', pluginId: 'p' } as const) : ({ kind: 'core' } as const);
    return decideToolPolicy({ name, owner, optional: isPlugin }, layers) === undefined;
  });
};

const denied = (layers: ReturnType<typeof plan>, wanted: readonly string[]): string[] =>
  wanted.filter((name) => layers.some(({ deny }) => deny?.includes(name) === true));

describe('planPolicyLayers', () => {
  it('puts the layers of one file in their order, from the profile to the subagent, each with the key it stands at', () => {
    const rules = { deny: ['x'] };
    const user: ConfigFile = {
      tools: {
        profile: 'coding',
        ...rules,
        byProvider: { ollama: { profile: 'messaging', ...rules } },
        sandbox: { tools: rules },
        subagents: { tools: rules },
      },
      agents: { main: { tools: { ...rules, byProvider: { 'ollama/qwen3': rules } } } },
      groups: { team: { tools: rules } },
    };
    const layers = plan(
      user,
      { groupIds: ['team'], sandboxed: true, subagent: { isLeaf: false } },
      { tools: rules },
    );
    expect(layers.map(({ label }) => label)).toEqual([
      'profile "coding" (tools.profile, user config)',
      'profile "messaging" (tools.byProvider.ollama.profile, user config)',
      'tools (user config)',
      'tools.byProvider.ollama (user config)',
      'agents.main.tools (user config)',
      'agents.main.tools.byProvider.ollama/qwen3 (user config)',
      'groups.team.tools (user config)',
      'tools.sandbox.tools (user config)',
      'tools.subagents.tools (user config)',
      'tools (workspace config)',
      'what an agent never has that another has started',
      'what an agent has not that another has started (tools.subagents.tools.allow gives it back)',
    ]);
    expect(layers.map(({ isUser }) => isUser === true).filter(Boolean)).toHaveLength(9);
  });

  it('takes profiles of the config as OpenClaw writes them, and denies all by one that nothing defines', () => {
    const profiles = {
      reader: { allow: ['read', 'memory_get'], deny: ['memory_get'] },
      coding: { deny: ['exec'] },
    };
    expect(offered({ tools: { profile: 'Reader', profiles } })).toEqual(['read']);
    expect(offered({ tools: { profile: 'coding', profiles } })).toEqual(
      names.filter((name) => name !== 'exec' && name !== 'deploy'),
    );
    expect(offered({ tools: { profiles }, agents: { main: { tools: { profile: 'reader' } } } })).toEqual([
      'read',
    ]);
    expect(offered({ tools: { profile: 'raeder', profiles } })).toEqual([]);
  });

  it("lets a workspace's file name the user's profiles, and loosens nothing by one of its own", () => {
    const profiles = { reader: { allow: ['read', 'exec'] } };
    expect(offered({ tools: { profiles } }, {}, { tools: { profile: 'reader' } })).toEqual(['read', 'exec']);
    const wider = { tools: { profile: 'reader', profiles: { reader: { deny: ['read'] } } } };
    expect(offered({ tools: { profile: 'reader', profiles } }, {}, wider)).toEqual(['exec']);
  });

  it('takes tools.providers for byProvider; where both name a provider both hold', () => {
    const tools = {
      byProvider: { ollama: { deny: ['read'] } },
      providers: { ollama: { allow: ['read', 'exec'] }, 'ollama/other': { deny: ['*'] } },
    };
    expect(offered({ tools })).toEqual(['exec']);
    expect(offered({ tools }, { provider: 'openai' })).toContain('read');
  });

  it('leaves out layers of other models, agents and groups, and those that say nothing', () => {
    const rules = { deny: ['*'] };
    const user: ConfigFile = {
      tools: {
        profile: 'full',
        allow: [],
        byProvider: { openai: rules, 'ollama/other': rules },
        sandbox: { tools: rules },
        subagents: { tools: rules },
      },
      agents: { other: { tools: rules } },
      groups: { team: { tools: rules } },
    };
    expect(plan(user)).toEqual([]);
  });

  it.each([
    ['minimal', ['session_status']],
    ['coding', ['read', 'write', 'apply_patch', 'exec', 'session_status', 'memory_get']],
    ['messaging', ['session_status']],
    ['full', names.filter((name) => name !== 'deploy')],
  ] as const)('the profile %s leaves %j', (profile, left) => {
    expect(offered({ tools: { profile } })).toEqual(left);
  });

  it('alsoAllow adds to the profile and to the allow list, and shows optional tools where neither limits', () => {
    expect(offered({ tools: { profile: 'minimal', alsoAllow: ['deploy', 'read'] } })).toEqual([
      'read',
      'session_status',
      'deploy',
    ]);
    expect(offered({ tools: { allow: ['read'], alsoAllow: ['p'] } })).toEqual(['read', 'deploy']);
    expect(offered({ tools: { alsoAllow: ['deploy'] } })).toEqual(names);
    expect(offered({ tools: { alsoAllow: ['deploy'], deny: ['p'] } })).not.toContain('deploy');
    expect(offered({}, {}, { tools: { alsoAllow: ['deploy'] } })).not.toContain('deploy');
  });

  it("takes an agent's own profile for the general one, and the rules for a model for those of its provider", () => {
    const user: ConfigFile = {
      tools: {
        profile: 'minimal',
        byProvider: { ollama: { deny: ['exec'] }, 'OLLAMA/qwen3': { deny: ['read'] } },
      },
      agents: { main: { tools: { profile: 'coding' } } },
    };
    expect(offered(user)).toEqual(['write', 'apply_patch', 'exec', 'session_status', 'memory_get']);
    expect(offered(user, { agentId: 'other', model: 'other' })).toEqual(['session_status']);
    expect(offered({ tools: { byProvider: { ollama: { allow: ['read'] } } } })).toEqual(['read']);
  });

  it('keeps from subagents what none of them may have, whatever the config allows', () => {
    const allow = ['memory_search', 'sessions_send', 'read'];
    const user: ConfigFile = { tools: { allow: ['*'], subagents: { tools: { allow } } } };
    const layers = plan(user, { subagent: { isLeaf: false } });
    expect(denied(layers, ['memory_search', 'sessions_send', 'cron', 'gateway'])).toEqual([
      'memory_search',
      'sessions_send',
      'cron',
      'gateway',
    ]);
    expect(offered(user, { subagent: { isLeaf: false } })).toEqual(['read']);
  });

  it('gives back to subagents what the user names of the rest; a glob and a workspace give nothing back', () => {
    const names = ['session_status', 'agents_list', 'sessions_spawn', 'sessions_list', 'subagents'];
    const lift = (allow: string[]): ConfigFile => ({ tools: { subagents: { tools: { allow } } } });
    const deniedFor = (isLeaf: boolean, ...parts: [ConfigFile, ...ConfigFile[]]): string[] =>
      denied(plan(parts[0], { subagent: { isLeaf } }, ...parts.slice(1)), names);
    expect(deniedFor(false, {})).toEqual(['session_status', 'agents_list']);
    expect(deniedFor(true, {})).toEqual(names);
    expect(deniedFor(true, lift(['session_status', 'SESSIONS_LIST', 'read']))).toEqual([
      'agents_list',
      'sessions_spawn',
      'subagents',
    ]);
    expect(deniedFor(true, lift(['*']))).toEqual(names);
    expect(deniedFor(true, {}, lift(['session_status']))).toEqual(names);
  });

  it('gives a subagent no tool that an agent around it has not, an optional one included', () => {
    const user: ConfigFile = {
      agents: {
        main: { tools: { deny: ['exec'] } },
        helper: { tools: { profile: 'coding', alsoAllow: ['deploy', 'web_fetch'] } },
        other: { tools: { deny: ['read'] } },
      },
    };
    const helper = { agentId: 'helper', subagent: { isLeaf: true, ancestors: ['main'] } };
    expect(offered(user, { agentId: 'helper' })).toContain('deploy');
    expect(offered(user, helper)).toEqual(['read', 'write', 'apply_patch', 'web_fetch']);
    const deeper = { ...helper, subagent: { isLeaf: true, ancestors: ['main', 'other', 'helper'] } };
    expect(offered(user, deeper)).toEqual(['write', 'apply_patch', 'web_fetch']);
    const both: ConfigFile = {
      agents: { ...user.agents, main: { tools: { alsoAllow: ['deploy'] } } },
    };
    expect(offered(both, helper)).toContain('deploy');
    expect(plan(user, helper).find(({ deny }) => deny?.includes('exec') === true)?.label).toBe(
      'agents.main.tools (user config) of the agent main around it',
    );
  });

  it('names the folder where several workspace configs could be meant', () => {
    const layers = plan({}, {}, { tools: { deny: ['a'] } }, { tools: { deny: ['b'] } });
    expect(layers.map(({ label }) => label)).toEqual([
      'tools (workspace config /w0/.pincer/config.jsonc)',
      'tools (workspace config /w1/.pincer/config.jsonc)',
    ]);
  });
});

describe('a workspace config', () => {
  const entries = fc.array(fc.constantFrom(...names, 'group:fs', 'group:plugins', '*', 'p', 'no-such-tool'), {
    maxLength: 3,
  });
  const rules = fc.record(
    {
      profile: fc.constantFrom('minimal', 'coding', 'messaging', 'full'),
      allow: entries,
      alsoAllow: entries,
      deny: entries,
    },
    { requiredKeys: [] },
  );
  const lists = fc.record({ allow: entries, deny: entries }, { requiredKeys: [] });
  const byProvider = fc.dictionary(fc.constantFrom('ollama', 'ollama/qwen3', 'openai'), rules, {
    maxKeys: 2,
  });
  const file = fc.record({
    tools: fc.tuple(rules, byProvider, lists, lists).map(([own, providers, sandbox, subagents]) => ({
      ...own,
      byProvider: providers,
      sandbox: { tools: sandbox },
      subagents: { tools: subagents },
    })),
    agents: fc.dictionary(fc.constantFrom('main', 'other'), fc.record({ tools: rules }), { maxKeys: 1 }),
  });

  it('never adds a tool, whatever both files say', () => {
    fc.assert(
      fc.property(file, file, fc.boolean(), (user, workspace, sandboxed) => {
        const before = new Set(offered(user, { sandboxed }));
        expect(offered(user, { sandboxed }, workspace).filter((name) => !before.has(name))).toEqual([]);
      }),
    );
  });
});
