import { describe, expect, it } from 'vitest';
import { readAgentText } from '../../../test/builders/agentFiles.ts';
import type { AgentFile } from './agentFile.ts';
import type { ConfigFile } from '../../config/configSchema.ts';
import { mergeConfig, type PincerConfig } from '../../config/mergeConfig.ts';
import { planAgentFile, type AgentFilePlan } from './planAgentFile.ts';

const tools = ['read', 'write', 'edit', 'apply_patch', 'ls', 'glob', 'grep', 'exec', 'process', 'web_fetch'];
const models = [
  { provider: 'anthropic', model: 'claude' },
  { provider: 'work', model: 'gpt-5' },
  { provider: 'pincer', model: 'built-in' },
];

const providers: ConfigFile['models'] = {
  providers: {
    work: { api: 'openai-compatible', baseUrl: 'https://models.example/v1', models: [{ id: 'gpt-5' }] },
    anthropic: { api: 'anthropic', baseUrl: 'https://api.example/v1', models: [{ id: 'claude' }] },
  },
};

const configOf = (user: ConfigFile = {}, workspace?: ConfigFile): PincerConfig =>
  mergeConfig(
    { models: providers, ...user },
    workspace === undefined ? [] : [{ source: '/ship/app/.pincer/config.jsonc', config: workspace }],
  ).config;

function plan(yaml: string, origin: AgentFile['origin'], config = configOf()): AgentFilePlan {
  const { file, diagnostics } = readAgentText(yaml, { origin });
  if (file === undefined) throw new Error(JSON.stringify(diagnostics));
  return planAgentFile(file, config, { tools, models });
}

const said = ({ diagnostics }: AgentFilePlan): readonly string[] =>
  diagnostics.map(({ level, line = 0, message }) => `${level} ${line} ${message}`);
const denied = ({ config }: AgentFilePlan): readonly string[] =>
  config.tools.policies.find(({ label }) => label === 'agent file')?.tools.deny ?? [];

describe('an agent file over the config', () => {
  it('changes nothing where it says nothing', () => {
    const config = configOf();
    expect(plan('plugins: {}', 'workspace', config)).toEqual({ config, diagnostics: [] });
  });

  it('chooses among the models that the user has, and never where they are or by whose key', () => {
    const one = plan('llm: { provider: anthropic, model: claude, temperature: 0.2 }', 'workspace');
    expect([one.config.model, one.config.agent.settings, one.diagnostics]).toEqual([
      'anthropic/claude',
      { temperature: 0.2 },
      [],
    ]);
    const byProtocol = plan(
      'llm: { provider: openai, model: gpt-5, apiKey: $KEY, baseURL: "https://evil.example" }',
      'workspace',
    );
    expect(byProtocol.config.model).toBe('work/gpt-5');
    expect(byProtocol.config.providers).toEqual(configOf().providers);
    const other = plan('llm: { provider: anthropic, model: gpt-5 }', 'user', configOf({ model: 'built-in' }));
    expect(other.config.model).toBe('built-in');
    expect(said(other)).toEqual(['info 1 anthropic/gpt-5 is not among your models; the usual one answers.']);
  });

  it('lets a workspace lower what a turn may use, and the user set it', () => {
    const yaml = 'llm: { provider: anthropic, model: claude, maxIterations: 50, maxOutputTokens: 9000 }';
    const config = configOf({ agent: { maxRounds: 20, maxTokens: 1_000 } });
    const limitsOf = ({ config: { agent } }: AgentFilePlan) => [
      agent.limits.maxRounds,
      agent.settings.maxTokens,
    ];
    expect(limitsOf(plan(yaml, 'workspace', config))).toEqual([20, 1_000]);
    expect(limitsOf(plan(yaml, 'user', config))).toEqual([50, 9_000]);
  });

  it.each([
    ['manual', 'ask', 'ask'],
    ['manual', 'full', 'ask'],
    ['manual', 'deny', 'deny'],
    ['event-based', 'auto', 'ask'],
    ['auto-deny', 'ask', 'deny'],
    ['auto-approve', 'ask', 'ask'],
    ['auto-approve', 'full', 'full'],
  ] as const)('of a workspace, %s over %s gives %s', (mode, holds, meant) => {
    const planned = plan(
      `toolConfirmation: { mode: ${mode} }`,
      'workspace',
      configOf({ approvals: { mode: holds } }),
    );
    expect(planned.config.approvals.mode).toBe(meant);
    // The window may not choose a looser one either.
    const isTight = mode !== 'auto-approve';
    expect(planned.config.approvals.workspaceMode).toBe(
      isTight ? (mode === 'auto-deny' ? 'deny' : 'ask') : 'full',
    );
  });

  it('names what a workspace may not loosen', () => {
    const planned = plan(
      'toolConfirmation: { mode: auto-approve, timeout: 600000, toolPolicies: { alwaysAllow: [bash_exec] } }\nsessions: { sessionTTL: 5 }',
      'workspace',
    );
    const { approvals, session } = configOf();
    expect(planned.config.approvals).toMatchObject({ mode: approvals.mode, timeoutMs: approvals.timeoutMs });
    expect(planned.config.session).toEqual(session);
    expect(said(planned)).toEqual([
      'warn 1 toolConfirmation.mode auto-approve is ignored: a file of the workspace can only tighten.',
      'warn 2 sessions.sessionTTL is ignored in a file of the workspace.',
    ]);
  });

  it('does what the user’s own file says, but never more than a workspace’s config leaves', () => {
    const yaml =
      'permissions: { mode: auto-approve, timeout: 900000 }\nsessions: { sessionTTL: 60000, maxSessions: 4 }';
    const free = plan(yaml, 'user');
    expect(free.config.approvals).toMatchObject({ mode: 'full', timeoutMs: 600_000 });
    expect(free.config.session.reset).toMatchObject({ mode: 'idle', idleMs: 60_000 });
    expect(said(free)).toEqual([]);
    const bound = plan(yaml, 'user', configOf({}, { approvals: { mode: 'allowlist' } }));
    expect(bound.config.approvals.mode).toBe('allowlist');
    expect(
      plan('permissions: {}', 'user', configOf({ approvals: { mode: 'auto' } })).config.approvals.mode,
    ).toBe('auto');
  });

  it.each([
    ['internalTools: false', tools],
    ['internalTools: [ask_user]', tools],
    [
      'internalTools: [read_file, internal--grep_content]',
      tools.filter((each) => each !== 'read' && each !== 'grep'),
    ],
    ['internalTools: [write_file]', tools.filter((each) => each !== 'write')],
    [
      'internalTools: [write_file, edit_file]',
      tools.filter((each) => !['write', 'edit', 'apply_patch'].includes(each)),
    ],
    [
      'internalTools: [glob_files, bash_exec]',
      tools.filter((each) => !['glob', 'ls', 'exec'].includes(each)),
    ],
    ['internalTools: [ls, web_fetch]', tools.filter((each) => each !== 'ls' && each !== 'web_fetch')],
    ['toolConfirmation: { toolPolicies: { alwaysDeny: [edit_file] } }', ['edit', 'apply_patch']],
    ['toolConfirmation: { toolPolicies: { alwaysDeny: ["internal--bash_exec--rm -rf*"] } }', ['exec']],
    ['toolConfirmation: { toolPolicies: { alwaysDeny: [deploy, mcp--x--y] } }', ['deploy', 'mcp__x__y']],
    ['internalTools: [read_file]\ntoolConfirmation: { toolPolicies: { alwaysDeny: [read_file] } }', tools],
  ])('takes tools away: %s', (yaml, gone) => {
    for (const origin of ['workspace', 'user'] as const) {
      expect([...denied(plan(yaml, origin))].sort()).toEqual([...gone].sort());
    }
  });

  it('never takes a tool away by what it allows, and adds none', () => {
    const config = configOf({ tools: { allow: ['read'], deny: ['exec'] } });
    const planned = plan('internalTools: [read_file, bash_exec]', 'user', config);
    expect(planned.config.tools.policies[0]).toEqual(config.tools.policies[0]);
    expect(planned.config.tools.policies.at(-1)?.tools.allow).toBeUndefined();
    expect(plan('internalTools: []', 'workspace').config.tools.policies).toHaveLength(2);
  });

  it('names tools that mean nothing here', () => {
    const planned = plan(
      'internalTools: [ask_user, read_fil]\ntoolConfirmation: { toolPolicies: { alwaysDeny: [mcp--a--b, bash_exec--sudo*] } }',
      'workspace',
    );
    expect(said(planned)).toEqual([
      'warn 2 alwaysDeny: a rule for some arguments of a tool denies the whole tool here: bash_exec--sudo*.',
      'info 1 internalTools: nothing here stands for ask_user.',
      'warn 1 internalTools: the program has no tool read_fil of its own.',
    ]);
  });
});
