import { z } from 'zod';

// What docs/cli.md promises of `--json`, key by key: a key that is missing there or here is an error.

const diagnostic = z.strictObject({
  level: z.enum(['info', 'warn', 'error']),
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  pluginId: z.string().optional(),
  source: z.string().optional(),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  fixes: z.array(z.looseObject({ kind: z.string() })).optional(),
});

const diagnostics = z.array(diagnostic);

const outcome = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('completed'), text: z.string() }),
  z.strictObject({ status: z.literal('cancelled') }),
  z.strictObject({
    status: z.literal('blocked'),
    pluginId: z.string(),
    text: z.string(),
    httpStatus: z.int(),
    code: z.string(),
  }),
  z.strictObject({
    status: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    hint: z.string().optional(),
  }),
]);

const calls = z.array(
  z.strictObject({ name: z.string(), isError: z.boolean(), details: z.unknown().optional() }),
);

const stops = z.array(
  z.strictObject({
    plugin: z.string(),
    point: z.enum(['beforeLLMRequest', 'beforeToolCall', 'afterToolResult', 'beforeResponse']),
    code: z.string(),
    httpStatus: z.int(),
    isStopped: z.boolean(),
    toolName: z.string().optional(),
    message: z.string().optional(),
    notices: z.array(z.looseObject({ kind: z.string() })),
  }),
);

/** `agent`, where a model was asked. */
export const agentTurn = z.strictObject({
  sessionId: z.uuid(),
  /** Where the command of a plugin began the turn. */
  command: z.strictObject({ name: z.string(), pluginId: z.string(), text: z.string().optional() }).optional(),
  runId: z.string(),
  model: z.string().regex(/.+\/.+/u),
  outcome,
  calls,
  stops,
  diagnostics,
});

/** `agent`, where the message was a command of a plugin. */
export const agentCommand = z.strictObject({
  /** Where the session was there before: a command leaves nothing in it. */
  sessionId: z.uuid().optional(),
  command: z.strictObject({ name: z.string(), pluginId: z.string() }),
  outcome,
  calls: z.tuple([]),
  diagnostics,
});

/** The keys of a plugin that scripts can count on; there are more. */
const plugin = z.looseObject({
  id: z.string(),
  name: z.string(),
  origin: z.enum(['bundled', 'workspace', 'global', 'config']),
  enabled: z.boolean(),
  status: z.enum(['loaded', 'disabled', 'error']),
  reason: z.string(),
  rootDir: z.string(),
  needsConsent: z
    .looseObject({ why: z.enum(['never-enabled', 'files-changed']), changedFiles: z.array(z.string()) })
    .optional(),
  asks: z
    .looseObject({ tools: z.array(z.string()), hooks: z.array(z.string()), reaches: z.array(z.string()) })
    .optional(),
  toolNames: z.array(z.string()),
  hookNames: z.array(z.string()),
  commands: z.array(z.string()),
  diagnostics,
});

/** `plugins list` */
export const pluginsList = z.strictObject({ plugins: z.array(plugin), diagnostics });

/** `plugins enable` and `plugins disable` */
export const pluginSwitched = z.strictObject({ plugin, diagnostics });

/** `plugins inspect` */
export const inspection = z.strictObject({
  plugins: z.array(
    plugin.extend({
      tools: z.array(
        z.strictObject({
          name: z.string(),
          label: z.string(),
          description: z.string(),
          parameters: z.looseObject({}),
          optional: z.boolean(),
        }),
      ),
      hooks: z.array(
        z.strictObject({
          hook: z.string(),
          priority: z.number(),
          timeoutMs: z.number().nullable(),
          position: z.int(),
          of: z.int(),
        }),
      ),
      registrations: z.record(z.string(), z.array(z.string())),
    }),
  ),
  diagnostics,
  timings: z.strictObject({
    discoverMs: z.number(),
    loadMs: z.number(),
    registerMs: z.number(),
    totalMs: z.number(),
  }),
});

/** `hooks list` */
export const hooksList = z.strictObject({
  hooks: z.array(
    z.strictObject({
      hook: z.string(),
      kind: z.string(),
      listeners: z.array(
        z.strictObject({ pluginId: z.string(), priority: z.number(), timeoutMs: z.number().nullable() }),
      ),
    }),
  ),
  operatorHooks: z.array(z.looseObject({ name: z.string(), status: z.string(), reason: z.string() })),
});

/** `hooks trace` */
export const runTrace = z.looseObject({
  version: z.literal(1),
  runId: z.string(),
  status: z.string(),
  lines: z.array(z.looseObject({ kind: z.string(), at: z.number(), durationMs: z.number() })),
});

/** `tools list` */
export const toolsList = z.strictObject({
  tools: z.array(z.strictObject({ name: z.string(), description: z.string(), owner: z.string() })),
  hidden: z.array(
    z.strictObject({
      name: z.string(),
      owner: z.string(),
      code: z.string(),
      reason: z.string(),
      layer: z.string().optional(),
    }),
  ),
  diagnostics,
});

const verdict = z.discriminatedUnion('verdict', [
  z.strictObject({ layer: z.string(), verdict: z.enum(['allows', 'denies']), entry: z.string() }),
  z.strictObject({ layer: z.string(), verdict: z.enum(['omits', 'open']) }),
]);

/** `tools explain` */
export const toolsExplain = z.strictObject({
  tools: z
    .array(
      z.strictObject({
        name: z.string(),
        label: z.string(),
        owner: z.string(),
        optional: z.boolean(),
        offered: z.boolean(),
        code: z.string().optional(),
        reason: z.string().optional(),
        layer: z.string().optional(),
        layers: z.array(verdict),
      }),
    )
    .min(1),
  diagnostics,
});

/** Any command that could not begin. */
export const failure = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});
