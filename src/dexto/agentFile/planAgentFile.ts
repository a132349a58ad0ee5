// Threat: an agent file comes with a workspace. It can only tighten what the user's config allows: whatever it says beyond
// that has no effect, and is named.

import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { ModelRef } from '../../contracts/model.ts';
import type { AgentFile, AgentFileLlm } from './agentFile.ts';
import type { PincerConfig } from '../../config/mergeConfig.ts';
import { approvalModes } from '../../config/sections/approvalModes.ts';
import { approvalsSection } from '../../config/sections/approvalsSection.ts';
import { isLooser, stricterOf } from '../../config/sections/section.ts';
import { toServerName } from '../../config/sections/mcpSection.ts';

/**
 * Upstream's names for its own tools, each with the tools of ours that do the same work. An empty list: nothing of ours does, or the chat
 * itself does it.
 */
const counterparts: Readonly<Record<string, readonly string[]>> = {
  ask_user: [],
  read_file: ['read'],
  read_media_file: ['image'],
  write_file: ['write'],
  edit_file: ['edit'],
  glob_files: ['glob', 'ls'],
  grep_content: ['grep'],
  bash_exec: ['exec'],
  bash_output: ['process'],
  kill_process: ['process'],
  search_history: ['sessions_history'],
  spawn_agent: ['sessions_spawn', 'subagents'],
  web_search: ['web_search'],
  web_fetch: ['web_fetch'],
  memory_list: ['memory_search', 'memory_get'],
  delegate_to_url: [],
  todo_write: [],
  skill_load: [],
  invoke_skill: [],
};

/** A patch can do what both of these do: it needs both, and goes with either. */
const patch = { tool: 'apply_patch', does: ['write_file', 'edit_file'] };

/** What there is, for the names in the file. */
export interface KnownNames {
  /** Names of this program's own tools, not of plugins'. */
  readonly tools: readonly string[];
  /** Models that the user has, the configured ones and others. */
  readonly models: readonly ModelRef[];
}

export interface AgentFilePlan {
  /** The config with what the file says. */
  readonly config: PincerConfig;
  /** What has no effect, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Lays an agent file over the config: model, limits, approvals, tools, sessions (Dexto plugin specification, YAML Configuration Schema). Pure. */
export function planAgentFile(file: AgentFile, config: PincerConfig, known: KnownNames): AgentFilePlan {
  const diagnostics: Diagnostic[] = [];
  const say: Say = (level, key, message, hint) => {
    const line = file.lines?.[key];
    const idle = key === 'llm' ? agentModelUnknown : 'agent_file_key_idle';
    const code = level === 'info' ? idle : 'agent_file_ignored';
    const where = { source: file.path, ...(line === undefined ? {} : { line }) };
    diagnostics.push({ level, code, message, ...(hint === undefined ? {} : { hint }), ...where });
  };
  const layers = [layModel, layApprovals, layTools, laySessions];
  return {
    config: layers.reduce((held, lay) => lay(file, held, known, say), config),
    diagnostics,
  };
}

/** The model that an agent file names is not among the user's: matters where none is chosen otherwise. */
export const agentModelUnknown = 'agent_file_model_unknown';

/** `key` is the top-level key that it is about. */
type Say = (level: Diagnostic['level'], key: string, message: string, hint?: string) => void;
type Layer = (file: AgentFile, config: PincerConfig, known: KnownNames, say: Say) => PincerConfig;

const layModel: Layer = ({ llm, origin }, config, { models }, say) => {
  if (llm === undefined) return config;
  const own = 'Models, addresses and keys stand in your own config (models.providers).';
  const model = findModel(llm, models, config);
  if (model === undefined)
    say('info', 'llm', `${llm.provider}/${llm.model} is not among your models; the usual one answers.`, own);
  const { settings, limits } = config.agent;
  const { temperature, maxOutputTokens: maxTokens, maxIterations: maxRounds } = llm;
  return {
    ...config,
    ...(model === undefined ? {} : { model: `${model.provider}/${model.model}` }),
    agent: {
      ...config.agent,
      settings: {
        ...settings,
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxTokens === undefined ? {} : { maxTokens: lowerOf(origin, settings.maxTokens, maxTokens) }),
      },
      limits: { ...limits, maxRounds: lowerOf(origin, limits.maxRounds, maxRounds ?? limits.maxRounds) },
    },
  };
};

/** A file of the workspace can only lower a number; one of the user's sets it. */
function lowerOf(origin: AgentFile['origin'], holds: number | undefined, said: number): number {
  return origin === 'user' || holds === undefined ? said : Math.min(holds, said);
}

/** The protocols that upstream's names of providers stand for; all others speak that of OpenAI. */
const protocols: Readonly<Record<string, string>> = { anthropic: 'anthropic', google: 'google' };

/** By provider and model; else the model of that name where the provider speaks the same protocol. */
function findModel(
  llm: AgentFileLlm,
  models: readonly ModelRef[],
  config: PincerConfig,
): ModelRef | undefined {
  const named = models.filter(({ model }) => model === llm.model);
  const protocol = Object.hasOwn(protocols, llm.provider) ? protocols[llm.provider] : 'openai-compatible';
  return (
    named.find(({ provider }) => provider === llm.provider) ??
    named.find(
      ({ provider }) =>
        Object.hasOwn(config.providers, provider) && config.providers[provider]?.api === protocol,
    )
  );
}

/** Upstream's words for what happens with a call that needs approval. */
const modes = {
  'auto-deny': 'deny',
  manual: 'ask',
  'event-based': 'ask',
  'auto-approve': 'full',
} as const;

/** Milliseconds; what the config allows at most. */
const maxTimeout = 600_000;

const layApprovals: Layer = ({ toolConfirmation: said, origin, lines }, config, _known, say) => {
  if (said === undefined) return config;
  const key = lines?.['permissions'] === undefined ? 'toolConfirmation' : 'permissions';
  const mode = said.mode === undefined ? undefined : modes[said.mode];
  const timeoutMs = said.timeout === undefined ? undefined : Math.min(said.timeout, maxTimeout);
  const { approvals } = config;
  if (origin === 'user') {
    // What a workspace's own config forbids stays forbidden.
    const ceiling = approvals.workspaceMode ?? 'full';
    const held = { ...approvals, timeoutMs: timeoutMs ?? approvals.timeoutMs };
    return {
      ...config,
      approvals: mode === undefined ? held : { ...held, mode: stricterOf(approvalModes, ceiling, mode) },
    };
  }
  if (isLooser(approvalModes, approvals.mode, mode))
    say(
      'warn',
      key,
      `${key}.mode ${said.mode ?? ''} is ignored: a file of the workspace can only tighten.`,
      'Set approvals.mode in your own config.',
    );
  return { ...config, approvals: approvalsSection.tighten(approvals, { mode, timeoutMs }) };
};

const layTools: Layer = ({ toolConfirmation, internalTools, lines }, config, { tools }, say) => {
  const confirmation = lines?.['permissions'] === undefined ? 'toolConfirmation' : 'permissions';
  const denied = readToolNames(toolConfirmation?.alwaysDeny ?? [], tools, 'deny');
  const kept = internalTools === undefined ? undefined : readToolNames(internalTools, tools, 'allow');
  const without = kept === undefined ? [] : tools.filter((name) => !kept.tools.includes(name));
  const list = (names: readonly string[]): string => names.join(', ');
  if (denied.partial.length > 0)
    say(
      'warn',
      confirmation,
      `alwaysDeny: a rule for some arguments of a tool denies the whole tool here: ${list(denied.partial)}.`,
      'Write only the name of the tool, or let a plugin decide by the arguments.',
    );
  if (kept !== undefined && kept.idle.length > 0)
    say('info', 'internalTools', `internalTools: nothing here stands for ${list(kept.idle)}.`);
  if (kept !== undefined && kept.others.length > 0)
    say(
      'warn',
      'internalTools',
      `internalTools: the program has no tool ${list(kept.others)} of its own.`,
      'The list takes tools of the program away; those of plugins stay.',
    );
  const deny = [...new Set([...denied.tools, ...without])];
  if (deny.length === 0) return config;
  const policy = { label: 'agent file', tools: { deny }, agents: {}, groups: {} };
  return { ...config, tools: { ...config.tools, policies: [...config.tools.policies, policy] } };
};

const laySessions: Layer = ({ sessions, origin }, config, _known, say) => {
  if (sessions?.sessionTTL === undefined) return config;
  // Nobody's conversation ends by what a repository wants.
  if (origin === 'workspace') {
    say(
      'warn',
      'sessions',
      'sessions.sessionTTL is ignored in a file of the workspace.',
      'Set session.reset in your own config.',
    );
    return config;
  }
  return {
    ...config,
    session: { reset: { ...config.session.reset, mode: 'idle', idleMs: sessions.sessionTTL } },
  };
};

/** What a list of names in an agent file stands for. */
interface ToolNames {
  /** Names of tools, ours or a plugin's. */
  readonly tools: readonly string[];
  /** Upstream's whose work nothing here does. */
  readonly idle: readonly string[];
  /** Neither upstream's nor ours; also among `tools`, since a plugin may have it. */
  readonly others: readonly string[];
  /** Rules for some arguments of a tool; they stand for the whole tool. */
  readonly partial: readonly string[];
}

/**
 * Reads a list of names: upstream's `read_file` and `internal--read_file`, `mcp--…`, and our own.
 * @param ours the tools of this program
 * @param purpose what is done with them: to allow takes less, to deny takes more
 */
function readToolNames(
  said: readonly string[],
  ours: readonly string[],
  purpose: 'allow' | 'deny',
): ToolNames {
  const mcp = said.flatMap((each) => toolOfServer(each) ?? []);
  const plain = said
    .filter((each) => toolOfServer(each) === undefined)
    .map((each) => each.replace(/^(?:internal|custom)--/u, ''));
  const names = [...new Set(plain.map((each) => each.split('--')[0] ?? each))];
  const isNamed = (name: string): boolean => names.includes(name);
  const isPatched = purpose === 'allow' ? patch.does.every(isNamed) : patch.does.some(isNamed);
  const tools = names.flatMap((name) => (ours.includes(name) ? [name] : (counterpartOf(name) ?? [name])));
  return {
    tools: [...new Set([...tools, ...(isPatched ? [patch.tool] : []), ...mcp])],
    idle: names.filter((name) => !ours.includes(name) && counterpartOf(name)?.length === 0),
    others: names.filter((name) => !ours.includes(name) && counterpartOf(name) === undefined),
    partial: plain.filter((each) => each.includes('--')),
  };
}

/** `mcp--tool`, of any server, and `mcp--server--tool`, as they are called here. */
function toolOfServer(said: string): string | undefined {
  const [, server, tool] = /^mcp--(?:(.+?)--)?(.+)$/u.exec(said) ?? [];
  return tool === undefined
    ? undefined
    : `mcp__${server === undefined ? '*' : toServerName(server)}__${tool}`;
}

function counterpartOf(name: string): readonly string[] | undefined {
  return Object.hasOwn(counterparts, name) ? counterparts[name] : undefined;
}
