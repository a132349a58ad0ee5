import { isRecord } from '../base/json.ts';
import { redactKeys, removedKey } from '../base/secrets/redactKeys.ts';
import { isSecretSetting } from '../base/secrets/secretFields.ts';
import { narrowed, type PincerConfig, type ToolsConfig } from './mergeConfig.ts';

type Described = Readonly<Record<string, unknown>>;

/**
 * The config that holds, every default applied, in the shape of a file; agents as OpenClaw lists them. `workspaceDir` is the folder that
 * is open. Pure.
 */
export function describeConfig(config: PincerConfig, workspaceDir: string | undefined): Described {
  const { agent, approvals, memory, session, plugins, hooks } = config;
  const { workspaceMode: _strictest, ...approvalsSaid } = approvals;
  const { embeddings, ...memorySaid } = memory;
  const { isChosen: _isChosen, ...embeddingsSaid } = embeddings;
  const { maxRounds, maxMs, ...limits } = agent.limits;
  const { idleMs, ...reset } = session.reset;
  const { limits: runLimits, heartbeat, ...schedule } = config.schedule;
  return {
    model: config.model,
    models: { providers: config.providers },
    agent: {
      maxRounds,
      instructions: agent.instructions,
      ...agent.settings,
      fallbacks: agent.fallbacks,
      imageModel: agent.imageModel,
      limits: { ...limits, maxMinutes: maxMs / 60_000 },
      compaction: agent.compaction,
      skills: agent.skills,
    },
    agents: describeAgents(config, workspaceDir),
    bindings: config.agents.bindings,
    session: { reset: { ...reset, idleMinutes: idleMs / 60_000 } },
    tools: describeTools(config.tools),
    sandbox: config.sandbox,
    approvals: approvalsSaid,
    checkpoints: config.checkpoints,
    memory: { ...memorySaid, ...embeddingsSaid },
    schedule: {
      ...schedule,
      maxTokens: runLimits.maxTokens,
      maxCost: runLimits.maxCost,
      maxMinutes: runLimits.maxMs / 60_000,
      ...(heartbeat === undefined
        ? {}
        : {
            heartbeat: {
              everyMinutes: heartbeat.everyMs / 60_000,
              agent: heartbeat.agentId,
              prompt: heartbeat.prompt,
            },
          }),
    },
    messages: config.messages,
    tts: config.tts,
    gateway: config.gateway,
    hooks: { internal: { enabled: hooks.enabled, entries: hooks.entries, load: hooks.load } },
    plugins: {
      enabled: plugins.enabled,
      allow: plugins.allow,
      deny: plugins.deny,
      required: plugins.required,
      load: plugins.load,
      slots: plugins.slots,
      entries: plugins.entries,
    },
  };
}

function describeAgents(
  { model, agent, agents, tools }: PincerConfig,
  workspaceDir: string | undefined,
): Described {
  return {
    defaults: {
      ...(workspaceDir === undefined ? {} : { workspace: workspaceDir }),
      model: { ...(model === undefined ? {} : { primary: model }), fallbacks: agent.fallbacks },
    },
    list: agents.list.map(({ isDefault, settings, ...said }) => ({
      ...said,
      ...settings,
      default: isDefault,
      ...describeRules(tools.policies.map((policy) => policy.agents[said.id]?.tools ?? {})),
    })),
  };
}

function describeTools({ policies, exec, web }: ToolsConfig): Described {
  const [user] = policies;
  const { tools } = describeRules(policies.map((policy) => policy.tools));
  return { ...user?.tools, ...tools, exec, web };
}

type Rules = ToolsConfig['policies'][number]['tools'];

/** What several files say: the user's, with less allowed and more denied by those of the workspace. */
function describeRules(said: readonly Rules[]): { readonly tools?: Described } {
  const [user = {}, ...others] = said;
  const allow = others.reduce<readonly string[]>(
    (all, { allow: more = [] }) => narrowed(all, more),
    user.allow ?? [],
  );
  const deny = said.flatMap((each) => each.deny ?? []);
  const tools = {
    ...user,
    ...(allow.length === 0 ? {} : { allow }),
    ...(deny.length === 0 ? {} : { deny }),
  };
  return Object.keys(tools).length === 0 ? {} : { tools };
}

/**
 * What plugins and agents may read of a described config. Threat: one of them sends on what it reads. So no value that is a key or looks like one is in
 * it, no header, of addresses neither user nor query, of operator hooks only their switches, of bindings nobody whom they name, and of
 * plugins and speech providers no settings: each is shown its own where it asks. Pure.
 */
export function withoutSecrets(described: Described): Described {
  const { hooks, plugins, tts, bindings, ...rest } = described;
  const speech = isRecord(tts) && isRecord(tts['providers']) ? tts['providers'] : {};
  const internal = isRecord(hooks) && isRecord(hooks['internal']) ? hooks['internal'] : {};
  const entries = isRecord(internal['entries']) ? internal['entries'] : {};
  return redacted({
    ...rest,
    ...(Array.isArray(bindings) ? { bindings: bindings.map(withoutPeople) } : {}),
    ...(isRecord(tts) ? { tts: { ...tts, providers: mapValues(speech, () => ({})) } } : {}),
    hooks: { internal: { ...internal, entries: mapValues(entries, onlySwitch) } },
    plugins: { ...(isRecord(plugins) ? plugins : {}), entries: {} },
  }) as Described;
}

function onlySwitch(entry: unknown): unknown {
  return isRecord(entry) && typeof entry['enabled'] === 'boolean' ? { enabled: entry['enabled'] } : {};
}

/** The ids of people, accounts and servers are nobody else's. */
function withoutPeople(binding: unknown): unknown {
  if (!isRecord(binding) || !isRecord(binding['match'])) return binding;
  const { peer: _peer, accountId: _account, guildId: _guild, teamId: _team, ...match } = binding['match'];
  return { ...binding, match };
}

function redacted(value: unknown, name = ''): unknown {
  if (typeof value === 'string')
    return isSecretSetting(name) ? removedKey : redactKeys(withoutAddressSecrets(value));
  if (Array.isArray(value)) return value.map((each) => redacted(each, name));
  if (!isRecord(value)) return value;
  if (name === 'headers') return mapValues(value, () => removedKey);
  return mapValues(value, (each, key) => redacted(each, key));
}

/** Keys in addresses have any form and any name, so that no user and no value of a query stays. Other texts as they are. */
function withoutAddressSecrets(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol)) return text;
  const { protocol, username, password, host, pathname, search, searchParams, hash } = url;
  if (username === '' && password === '' && search === '') return text;
  const user = username === '' && password === '' ? '' : `${removedKey}@`;
  // A key may stand there without a name, padded or not.
  const query = [...searchParams].map(([key, value]) =>
    /^=*$/u.test(value) ? removedKey : `${key}=${removedKey}`,
  );
  return `${protocol}//${user}${host}${pathname}${search === '' ? '' : `?${query.join('&')}`}${hash}`;
}

function mapValues(record: Described, map: (value: unknown, key: string) => unknown): Described {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
