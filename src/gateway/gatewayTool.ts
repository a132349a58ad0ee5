// Threat: something that the model has read has it loosen what guards it, or end the turns and questions of other clients. So it changes
// no config and no version: those actions say who can. It restarts what runs and nothing else, with a person's yes each time.
import { z } from 'zod';
import { isRecord } from '../base/json.ts';
import { inertLine, plural } from '../base/text.ts';
import type { AgentTool, PreparedCall, Turn } from '../contracts/tool.ts';
import { createCoreTool, textResult } from '../tools/core/coreTool.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import type { GatewayStatus } from './gateway.ts';
import { configPathUnknown, notForAgents, notRestarted } from './gatewayErrors.ts';

const actions = [
  'status',
  'restart',
  'config.get',
  'config.schema.lookup',
  'config.apply',
  'config.patch',
  'update.run',
] as const;

/** Loose: who knows upstream's further parameters still reads why an action is not for it. */
const schema = z.looseObject({
  action: z
    .enum(actions)
    .describe(
      'status, restart, config.get, config.schema.lookup. The others change what guards you: they only say what the user can do.',
    ),
  path: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('config.get and config.schema.lookup: only this part, by its keys: tools.exec. Default: all.'),
  reason: z.string().min(1).max(200).optional().describe('restart: why; the user reads it.'),
});

type GatewayParams = z.infer<typeof schema>;

interface GatewayToolDeps {
  readonly status: () => GatewayStatus;
  /** Clients that are connected over WebSocket. */
  readonly clients: () => number;
  /** How many turns run. */
  readonly running: () => number;
  /** Has the one that has run since `startedAt` restart at the next moment when no turn runs. */
  readonly restartSoon: (startedAt: number) => void;
  /** The config that holds, without secrets. */
  readonly config: () => Readonly<Record<string, unknown>>;
  /** JSON Schema (draft-07) of a config file. */
  readonly configSchema: () => Readonly<Record<string, unknown>>;
  readonly layout: () => WorkspaceLayout;
}

/**
 * `gateway`: how the gateway stands, the config that holds and what its keys mean, a restart (OpenClaw documentation, Gateway tool). A restart
 * asks, in every mode; the tool is offered only where the user's config names it.
 */
export function createGatewayTool(deps: GatewayToolDeps): AgentTool {
  const tool = createCoreTool(
    {
      name: 'gateway',
      label: 'Gateway',
      description:
        'Says how the gateway of this workspace stands (status), which config holds, without secrets (config.get), and what a key of it means and takes (config.schema.lookup), and restarts the gateway once the user agrees and no turn runs (restart).',
      schema,
      mayWrite: true,
      paths: () => [],
      target: ({ action, path }) => inertLine([action, path ?? ''].join(' ').trim(), 60),
      prepare: async (params, { turn }) => await Promise.resolve(prepare(deps, params, turn)),
    },
    deps.layout,
  );
  return { ...tool, optional: true };
}

function prepare(deps: GatewayToolDeps, params: GatewayParams, turn: Turn): PreparedCall {
  switch (params.action) {
    case 'status':
      return free(() => statusText(deps));
    case 'config.get':
      return free(() => JSON.stringify(partOf(deps.config(), params.path), undefined, 2));
    case 'config.schema.lookup':
      return free(() => JSON.stringify(lookUp(deps.configSchema(), params.path), undefined, 2));
    case 'restart':
      return restart(deps, params, turn);
    case 'config.apply':
    case 'config.patch':
      throw notForAgents(
        params.action,
        'The config decides what you may do and what is asked',
        'Tell the user which keys to set to what: they do it with Pincer: Open User Config, or in config.jsonc.',
      );
    case 'update.run':
      throw notForAgents(
        params.action,
        'An update replaces the program that guards you',
        'Tell the user: VS Code updates Pincer in its Extensions view.',
      );
  }
}

function free(text: () => string): PreparedCall {
  return { effects: [], run: () => Promise.resolve(textResult(text())) };
}

/** @throws PincerError `gateway_not_restarted` */
function restart(deps: GatewayToolDeps, { reason }: GatewayParams, turn: Turn): PreparedCall {
  if (turn.jobId !== undefined) throw notRestarted('a scheduled job can not do it', askThem);
  const startedAt = requireRunning(deps.status());
  const clients = deps.clients();
  const about = [
    `${count(clients, 'client')} over WebSocket ${clients === 1 ? 'has' : 'have'} to connect again`,
    'browsers have to be let in again',
    ...(reason === undefined ? [] : [`the agent gives as its reason: ${quoted(reason)}`]),
  ];
  return {
    effects: [{ kind: 'gateway', title: 'Restart the gateway', description: about.join(' · ') }],
    run() {
      // It may have been stopped while the question stood, and another one started, for which nobody has agreed.
      if (requireRunning(deps.status()) !== startedAt)
        throw notRestarted('it was started anew while the question stood', 'Its status says since when.');
      deps.restartSoon(startedAt);
      const others = deps.running() - 1;
      const turns = others > 0 ? `this turn and ${count(others, 'other')} have ended` : 'this turn has ended';
      return Promise.resolve(
        textResult(`The gateway restarts once ${turns}. Its status says from then on since when it runs.`),
      );
    },
  };
}

/**
 * Since when it runs. What nobody runs here is not started by an agent: a person may have stopped it.
 * @throws PincerError `gateway_not_restarted`
 */
function requireRunning(status: GatewayStatus): number {
  switch (status.state) {
    case 'running':
      return status.startedAt;
    case 'elsewhere':
      throw notRestarted('another window or program of this workspace serves it', 'It is restarted there.');
    case 'off':
    case 'starting':
    case 'failed':
      throw notRestarted('it does not run', askThem);
  }
}

const askThem = 'Ask the user: Pincer: Start Gateway and Pincer: Stop Gateway, or pincer gateway run.';

function statusText({ status, clients, running }: GatewayToolDeps): string {
  const now = status();
  switch (now.state) {
    case 'running':
      return [
        `The gateway runs on ${addressOf(now.port)} (port ${String(now.port)}), since ${new Date(now.startedAt).toISOString()}.`,
        `Over WebSocket ${count(clients(), 'client')}.`,
        ...(now.awaitsRestart === true
          ? [`It restarts once no turn runs; ${plural(running(), 'turn runs', 'turns run')} now.`]
          : []),
      ].join(' ');
    case 'elsewhere': {
      const where = now.port === undefined ? '' : ` on ${addressOf(now.port)}`;
      return `Another window or program of this workspace serves the gateway${where}.`;
    }
    case 'failed':
      return `The gateway does not run: ${now.error.message}`;
    case 'off':
    case 'starting':
      return now.state === 'off' ? 'The gateway is off.' : 'The gateway is starting.';
  }
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${String(port)}`;
}

/** Words that could pass for what Pincer says itself: none of them ends the quotation. */
function quoted(words: string): string {
  return `"${inertLine(words, 200).replace(/["\u201c-\u201f\u2033\uff02]/gu, "'")}"`;
}

function count(many: number, what: string): string {
  return `${String(many)} ${what}${many === 1 ? '' : 's'}`;
}

/** @throws PincerError `gateway_config_path_unknown` */
function partOf(config: Readonly<Record<string, unknown>>, path: string | undefined): unknown {
  let found: unknown = config;
  for (const key of path?.split('.') ?? []) {
    const keys = isRecord(found) ? Object.keys(found) : [];
    if (!isRecord(found) || !keys.includes(key)) throw configPathUnknown(path ?? '', keys);
    found = found[key];
  }
  return found ?? null;
}

type SchemaNode = Readonly<Record<string, unknown>>;

/** One key of the config: its schema without what lies below, and each key below in a line. @throws PincerError `gateway_config_path_unknown` */
function lookUp(root: SchemaNode, path: string | undefined): unknown {
  let found = root;
  for (const key of path?.split('.') ?? []) {
    const below = childrenOf(found);
    // What the user names, such as an agent, stands below a wildcard.
    const next = Object.hasOwn(below, key) ? below[key] : below['*'];
    if (next === undefined) throw configPathUnknown(path ?? '', Object.keys(below));
    found = next;
  }
  const {
    properties: _properties,
    additionalProperties: _others,
    items: _items,
    anyOf: _any,
    oneOf: _one,
    ...own
  } = found;
  return {
    path: path ?? '',
    schema: own,
    children: Object.entries(childrenOf(found)).map(([key, child]) => ({
      key,
      type: child['type'],
      description: child['description'],
      hasChildren: Object.keys(childrenOf(child)).length > 0,
    })),
  };
}

/** The keys below one, `*` where any is taken, and so for the members of a list. */
function childrenOf(node: SchemaNode): Readonly<Record<string, SchemaNode>> {
  const branches = [node['anyOf'], node['oneOf']].flatMap((each): readonly unknown[] =>
    Array.isArray(each) ? each : [],
  );
  const below: Record<string, SchemaNode> = {};
  for (const branch of branches) if (isRecord(branch)) Object.assign(below, childrenOf(branch));
  for (const each of [node['items'], node['additionalProperties']]) if (isRecord(each)) below['*'] = each;
  const properties = isRecord(node['properties']) ? node['properties'] : {};
  for (const [key, child] of Object.entries(properties)) if (isRecord(child)) below[key] = child;
  return below;
}
