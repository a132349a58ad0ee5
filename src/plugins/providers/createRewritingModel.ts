import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { Model, ModelEvent, ModelRequest } from '../../contracts/model.ts';
import type { Clock } from '../../host/ports.ts';
import { withDeadline } from '../withDeadline.ts';
import { applyReplayPolicy } from './applyReplayPolicy.ts';
import { createStreamFnModel, modelFields, type StreamFn } from './createStreamFnModel.ts';
import type { PluginProvider } from './pluginProvider.ts';
import { readHistory } from './readHistory.ts';
import { failedToRewrite, isCount, readToolSchemas, toStreamFn } from './toStreamFn.ts';
import { toStreamMessages } from './toStreamContext.ts';

/** Functions of a provider that change what its models are asked, in the order in which they are. */
export const rewritingHooks = [
  'buildReplayPolicy',
  'sanitizeReplayHistory',
  'validateReplayTurns',
  'normalizeToolSchemas',
  'prepareExtraParams',
  'extraParamsForTransport',
  'wrapStreamFn',
] as const;

type RewritingHook = (typeof rewritingHooks)[number];

interface RewritingParts {
  readonly provider: PluginProvider;
  /** The model as upstream's functions know it. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Told once of each function that fails; requests go on without it. */
  readonly report: (message: string) => void;
}

/** How long one function may take. */
const timeoutMs = 5_000;
/** Whoever asks the server has limits of his own. */
const idleMs = 900_000;

/**
 * A model whose provider has a say in its requests: the history, the tools, the parameters, the body and the stream
 * (OpenClaw documentation, Provider runtime hooks). Threat: this code sees the whole conversation, as a stream function does, and may
 * throw, hang or give anything: each answer is checked, and a function that fails is left out and named. Address and key are none of
 * its business.
 */
export function createRewritingModel(model: Model, parts: RewritingParts): Model {
  const { given } = parts.provider;
  if (!rewritingHooks.some((hook) => typeof given[hook] === 'function')) return model;
  const told = new Set<string>();
  const report = (hook: string, error: unknown): void => {
    if (told.has(hook)) return;
    told.add(hook);
    const why = inertLine(parts.redact(errorMessage(error)), 300);
    parts.report(`${hook} failed, and requests go on without it: ${why}`);
  };
  return { info: model.info, stream: (request) => streamRewritten({ ...parts, model, report }, request) };
}

interface Rewriting extends Omit<RewritingParts, 'report'> {
  readonly model: Model;
  readonly report: (hook: string, error: unknown) => void;
}

type Fields = Readonly<Record<string, unknown>>;

async function* streamRewritten(parts: Rewriting, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const changed = await rewriteTools(parts, await rewriteHistory(parts, request));
  const extraParams = await askForParams(parts, changed);
  const asked = extraParams === undefined ? changed : withParams(parts, changed, extraParams);
  const wrapped = await wrap(parts, asked, extraParams);
  if (wrapped === undefined) {
    yield* parts.model.stream(asked);
    return;
  }
  let hasBegun = false;
  try {
    for await (const event of wrapped.model.stream(asked)) {
      hasBegun = true;
      yield event;
    }
    return;
  } catch (error) {
    if (hasBegun || request.signal.aborted || wrapped.failure() !== undefined)
      throw wrapped.failure() ?? error;
    parts.report('wrapStreamFn', error);
  }
  yield* parts.model.stream(asked);
}

/** Asks a function where it is there, and reads what it gives; undefined where there is nothing or it fails. */
async function ask<T>(
  { provider, clock, report }: Rewriting,
  hook: RewritingHook,
  context: object,
  read: (answer: unknown) => T | undefined,
): Promise<T | undefined> {
  const { given, call, id } = provider;
  const asked = given[hook];
  if (typeof asked !== 'function') return undefined;
  try {
    const answer = call(
      `${hook} of the provider ${id}`,
      () => Reflect.apply(asked, given, [context]) as unknown,
    );
    const said = await withDeadline(Promise.resolve(answer), timeoutMs, clock);
    return said == null ? undefined : read(said);
  } catch (error) {
    report(hook, error);
    return undefined;
  }
}

/** What every function is told. */
function contextOf({ provider, model, given }: Rewriting): object {
  const { config, workspaceDir } = provider.context;
  const { info } = model;
  return {
    config,
    ...(workspaceDir === undefined ? {} : { workspaceDir }),
    provider: info.provider,
    modelId: info.model,
    modelApi: apiOf(given),
    model: { ...given, api: apiOf(given), ...modelFields(info) },
  };
}

/** Upstream's name of the protocol; the first is the one of models that name none. */
function apiOf({ api }: Fields): string {
  return typeof api === 'string' ? api : 'openai-completions';
}

async function rewriteHistory(parts: Rewriting, request: ModelRequest): Promise<ModelRequest> {
  const policy = await ask(parts, 'buildReplayPolicy', contextOf(parts), (answer) => answer);
  let { messages } = request;
  if (policy !== undefined) messages = applyReplayPolicy(messages, policy);
  for (const hook of ['sanitizeReplayHistory', 'validateReplayTurns'] as const) {
    if (typeof parts.provider.given[hook] !== 'function') continue;
    const copies = toStreamMessages(messages);
    const context = {
      ...contextOf(parts),
      sessionId: request.sessionId ?? '',
      messages: structuredClone(copies),
      allowedToolNames: request.tools.map(({ name }) => name),
    };
    const limits = { history: messages, copies, tokenBudget: parts.model.info.contextWindow };
    messages =
      (await ask(parts, hook, context, (answer) =>
        readHistory(answer, { ...limits, redact: parts.redact, what: hook }),
      )) ?? messages;
  }
  return { ...request, messages };
}

async function rewriteTools(parts: Rewriting, request: ModelRequest): Promise<ModelRequest> {
  if (typeof parts.provider.given['normalizeToolSchemas'] !== 'function') return request;
  const definitions = request.tools.map(({ name, description, parameters }) => ({
    ...{ name, description, parameters: structuredClone(parameters) },
  }));
  const context = { ...contextOf(parts), tools: definitions };
  const tools = await ask(parts, 'normalizeToolSchemas', context, (answer) =>
    readToolSchemas(answer, request.tools),
  );
  return tools === undefined ? request : { ...request, tools };
}

/** Undefined where no function has a say. */
async function askForParams(parts: Rewriting, { settings = {} }: ModelRequest): Promise<Fields | undefined> {
  const { temperature, maxTokens, thinking } = settings;
  const chosen = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  const context = {
    ...contextOf(parts),
    ...(thinking === undefined ? {} : { thinkingLevel: thinking }),
  };
  const asRecord = (answer: unknown): Fields | undefined => (isRecord(answer) ? answer : undefined);
  const prepared = await ask(parts, 'prepareExtraParams', { ...context, extraParams: chosen }, asRecord);
  const extraParams = { ...(prepared ?? chosen) };
  const patch = await ask(
    parts,
    'extraParamsForTransport',
    { ...context, transport: 'sse', extraParams },
    (answer) => asRecord(asRecord(answer)?.['patch']),
  );
  return prepared === undefined && patch === undefined ? undefined : { ...extraParams, ...patch };
}

/** Parameters of OpenAI's protocol by upstream's names, and as they stand in a body. */
const bodyNames: Readonly<Record<string, string>> = {
  topP: 'top_p',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  seed: 'seed',
  stop: 'stop',
  parallelToolCalls: 'parallel_tool_calls',
  parallel_tool_calls: 'parallel_tool_calls',
  serviceTier: 'service_tier',
  service_tier: 'service_tier',
  chat_template_kwargs: 'chat_template_kwargs',
};

function withParams({ given }: Rewriting, request: ModelRequest, params: Fields): ModelRequest {
  const { temperature, maxTokens } = params;
  const more = apiOf(given) === 'openai-completions' ? bodyFields(params) : {};
  return {
    ...request,
    settings: {
      ...request.settings,
      ...(typeof temperature === 'number' && Number.isFinite(temperature) ? { temperature } : {}),
      ...(isCount(maxTokens) ? { maxTokens } : {}),
    },
    ...(Object.keys(more).length === 0
      ? {}
      : { rewriteBody: (body) => Promise.resolve({ ...body, ...more }) }),
  };
}

function bodyFields(params: Fields): Fields {
  const named = Object.entries(bodyNames).flatMap(([name, field]) =>
    params[name] === undefined ? [] : [[field, params[name]]],
  );
  const extra = params['extra_body'] ?? params['extraBody'];
  return {
    ...(Object.fromEntries(named) as Fields),
    ...(isRecord(extra) ? extra : {}),
  };
}

interface Wrapped {
  readonly model: Model;
  /** What the model itself threw, where it did: no failure of the plugin. */
  readonly failure: () => unknown;
}

async function wrap(
  parts: Rewriting,
  request: ModelRequest,
  extraParams: Fields | undefined,
): Promise<Wrapped | undefined> {
  const { model, provider, given, clock, redact, report } = parts;
  const { id, pluginId, call } = provider;
  let failure: unknown;
  const streamFn = toStreamFn(model, {
    request,
    redact,
    failed: (error) => void (failure = error),
    async onPayload(run) {
      try {
        const said = call(`onPayload of the provider ${id}`, run);
        return await withDeadline(Promise.resolve(said), timeoutMs, clock);
      } catch (error) {
        report('onPayload', error);
        return failedToRewrite;
      }
    },
  });
  const { thinking } = request.settings ?? {};
  const context = {
    ...contextOf(parts),
    ...(extraParams === undefined ? {} : { extraParams }),
    ...(thinking === undefined ? {} : { thinkingLevel: thinking }),
    sourceApi: apiOf(given),
    streamFn,
  };
  const made = await ask(parts, 'wrapStreamFn', context, (answer) =>
    typeof answer === 'function' ? (answer as StreamFn) : undefined,
  );
  if (made === undefined || made === streamFn) return undefined;
  const wrapping = createStreamFnModel({
    ...{ info: model.info, pluginId, clock, redact, idleMs },
    given: { ...given, api: apiOf(given) },
    // What asks the server has the key.
    apiKey: () => Promise.resolve(undefined),
    streamFn: (...asked) => call(`the stream function of the provider ${id}`, () => made(...asked)),
  });
  const { info } = model;
  return {
    model: { info, stream: ({ onRaw: _onRaw, ...rest }) => wrapping.stream(rest) },
    failure: () => failure,
  };
}
