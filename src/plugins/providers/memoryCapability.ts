// Threat: what a memory plugin gives goes into prompts, and the plugin may answer anything, never, or without end. So each answer is read
// once, measured before it is used, and whatever goes wrong is a report with the plugin's name: the turn goes on without it.
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { isThenable } from '../../base/untrusted.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { OpenClawConfig } from '../../sdk/types.ts';
import type { CallPlugin } from '../createCallGuard.ts';

/** What the plugin in the memory slot does beside its tools. What its functions give is anything. */
export interface MemoryCapabilityRegistration {
  readonly promptBuilder: ((params: object) => unknown) | undefined;
  readonly flushPlanResolver: ((params: object) => unknown) | undefined;
  /** A memory of its own; it has no part that is a memory of ours. */
  readonly runtime: MemoryRuntime | undefined;
  /** The names of the fields that are there. */
  readonly fields: readonly string[];
  /** What the plugin sees as `api.config` now; each time a copy. */
  readonly currentConfig: () => OpenClawConfig;
  /** Calls other code of the plugin. */
  readonly call: CallPlugin;
}

/** Functions of a memory of the plugin's own. */
export interface MemoryRuntime {
  readonly getMemorySearchManager: (params: object) => unknown;
  /** Leaves of what was found what the asking session may see. */
  readonly authorizeSearchHits: ((params: object) => unknown) | undefined;
}

/** That of the loaded plugin that fills the memory slot. */
export interface MemoryCapability extends Omit<MemoryCapabilityRegistration, 'fields'> {
  readonly pluginId: string;
}

/** One of all that the plugin has registered: of each field the last. Undefined where nothing is left. Pure. */
export function joinCapabilities(
  pluginId: string,
  registered: readonly MemoryCapabilityRegistration[],
  mayInject: boolean,
): MemoryCapability | undefined {
  const last = registered.at(-1);
  if (last === undefined) return undefined;
  const { currentConfig, call } = last;
  const flushPlanResolver = mayInject
    ? registered.findLast((each) => each.flushPlanResolver)?.flushPlanResolver
    : undefined;
  const promptBuilder = mayInject
    ? registered.findLast((each) => each.promptBuilder)?.promptBuilder
    : undefined;
  const runtime = registered.findLast((each) => each.runtime)?.runtime;
  return { pluginId, promptBuilder, flushPlanResolver, runtime, currentConfig, call };
}

/** For whom a prompt is built. */
export interface MemoryPromptRequest {
  /** Asked once, where the plugin has something to say. */
  readonly toolNames: () => readonly string[];
  readonly agentId: string;
  readonly sessionKey: string;
}

/** What the memory plugin has to say in the system prompt. */
export interface MemoryPrompt {
  readonly pluginId: string;
  readonly text: string;
  /** What people should know of it. */
  readonly note?: string;
}

/** As the list of skills. */
const maxPromptChars = 12_000;
const maxLines = 1_000;

/** The lines of the memory's prompt builder; undefined where there are none, or it fails, which `report` is told. Never throws. */
export function buildMemoryPrompt(
  { pluginId, promptBuilder }: MemoryCapability,
  request: MemoryPromptRequest,
  report: (diagnostic: Diagnostic) => void,
): MemoryPrompt | undefined {
  try {
    if (promptBuilder === undefined) return undefined;
    const lines = promptBuilder(sectionParams(request));
    if (isThenable(lines)) throw new Error('it gave a promise, where its lines are needed at once');
    return promptOf(pluginId, readLines(lines));
  } catch (error) {
    report(
      memoryFailed(pluginId, 'promptBuilder', errorMessage(error), 'The prompt is built without its lines.'),
    );
    return undefined;
  }
}

/** What a builder of prompt lines is told (OpenClaw documentation, Plugin SDK capability registration). */
export function sectionParams({ toolNames, agentId, sessionKey }: MemoryPromptRequest): object {
  const availableTools = new Set(toolNames());
  return { availableTools, citationsMode: 'on', agentId, agentSessionKey: sessionKey };
}

/** The lines as one text, cut where it is too long; undefined where they say nothing. Pure. */
export function promptOf(pluginId: string, lines: readonly string[]): MemoryPrompt | undefined {
  const text = lines.join('\n').trim();
  if (text === '') return undefined;
  if (text.length <= maxPromptChars) return { pluginId, text };
  const note = `Cut: only the first ${String(maxPromptChars)} characters are used.`;
  return { pluginId, text: text.slice(0, maxPromptChars), note };
}

/** What the memory wants the model asked for before a conversation is shortened. */
interface FlushPlan {
  readonly prompt: string;
  readonly systemPrompt: string;
  /** The file that may be added to, relative to the workspace. */
  readonly relativePath: string;
  /** `provider/model`; undefined, the turn's. */
  readonly model: string | undefined;
}

/** The plan of the memory plugin; undefined where it has none, or fails, which `report` is told. Never throws. */
export function planFlush(
  { pluginId, flushPlanResolver, currentConfig }: MemoryCapability,
  facts: { readonly nowMs: number; readonly contextWindowTokens: number },
  report: (diagnostic: Diagnostic) => void,
): FlushPlan | undefined {
  try {
    const plan = flushPlanResolver?.({ cfg: currentConfig(), ...facts });
    if (plan == null) return undefined;
    if (isThenable(plan)) throw new Error('it gave a promise, where its plan is needed at once');
    if (!isRecord(plan)) throw new Error('it gave no plan');
    const { prompt, systemPrompt, relativePath, model } = plan;
    return {
      prompt: readText(prompt, 'prompt', maxPromptChars),
      systemPrompt: readText(systemPrompt, 'systemPrompt', maxPromptChars),
      relativePath: readText(relativePath, 'relativePath', 500),
      model: model === undefined ? undefined : readText(model, 'model', 200),
    };
  } catch (error) {
    report(flushFailed(pluginId, errorMessage(error)));
    return undefined;
  }
}

export function flushFailed(pluginId: string, reason: string): Diagnostic {
  return memoryFailed(
    pluginId,
    'flushPlanResolver',
    reason,
    'Conversations are shortened without writing to the memory first.',
  );
}

function readText(value: unknown, name: string, max: number): string {
  if (typeof value !== 'string' || value.trim() === '') throw new Error(`its plan has no ${name}`);
  if (value.length > max) throw new Error(`the ${name} of its plan is too long`);
  return value;
}

/** @throws Error where it is no list of texts */
export function readLines(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) throw new Error('it gave no list of lines');
  return Array.from({ length: Math.min(answer.length, maxLines) }, (_, at) => {
    const line: unknown = answer[at];
    if (typeof line !== 'string') throw new Error('it gave a line that is no text');
    return line;
  });
}

function memoryFailed(pluginId: string, field: string, reason: string, then: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_capability_failed',
    message: `The ${field} of the memory plugin "${pluginId}" failed: ${inertLine(reason, 300)}. ${then}`,
    pluginId,
    hint: 'Look at the plugin, or choose another memory: plugins.slots.memory in your config.',
  };
}
