// Threat: a plugin gets a tool of the host that writes, calls it by itself, and a file is changed that nobody was asked about. So
// what a plugin holds is a proxy: registered, it becomes the host's own tool again, with its effects and approvals; called
// from code, it does only what no rule would ask about.
import { decideAsk, type JudgePath } from '../../approvals/decideAsk.ts';
import { PincerError } from '../../base/errors.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import type { PluginTool, PluginToolResult } from '../../sdk/types.ts';

interface HostToolUse {
  readonly pluginId: string;
  /** The session it is made for; empty where the plugin names none. */
  readonly sessionKey: string;
  readonly judgePath: () => JudgePath;
  /** @throws PincerError when the plugin has been unloaded */
  readonly assertLoaded: () => void;
}

interface Original {
  readonly tool: AgentTool;
  readonly execute: PluginTool['execute'];
}

/** What a proxy stands for. Known by the object itself, so that no plugin can make or read one. */
const originals = new WeakMap<object, Original>();

/** A tool of the host as plugins know tools. */
export function toHostTool(tool: AgentTool, use: HostToolUse): PluginTool {
  const execute: PluginTool['execute'] = async (toolCallId, params, signal) => {
    use.assertLoaded();
    return await callFreely(tool, use, { toolCallId, params, signal });
  };
  const { name, label, description, parameters } = tool;
  const proxy: PluginTool = {
    name,
    label,
    description,
    parameters: structuredClone(parameters),
    execute,
  };
  originals.set(proxy, { tool, execute });
  return proxy;
}

/** The host's tool behind what a plugin registers; undefined for a plugin's own, one that it has wrapped included. */
export function hostToolOf(value: { readonly execute?: unknown }): AgentTool | undefined {
  const original = originals.get(value);
  return original !== undefined && original.execute === value.execute ? original.tool : undefined;
}

interface FreeCall {
  readonly toolCallId: string;
  readonly params: Parameters<PluginTool['execute']>[1];
  readonly signal: AbortSignal | undefined;
}

/** @throws PincerError `plugin_tool_needs_approval` where a person would have to agree, and whatever the tool says */
async function callFreely(
  tool: AgentTool,
  { pluginId, sessionKey, judgePath }: HostToolUse,
  { toolCallId, params, signal = new AbortController().signal }: FreeCall,
): Promise<PluginToolResult> {
  const refuse = (why: string): PincerError =>
    new PincerError('plugin_tool_needs_approval', `Plugin ${pluginId} can't call ${tool.name}: ${why}.`, {
      hint: 'Register the tool with api.registerTool: the model calls it then, and the user is asked.',
    });
  if (tool.mayWrite) throw refuse('it changes files, and nobody would be asked');
  const part = { type: 'toolCall', id: toolCallId, name: tool.name, arguments: params } as const;
  const turn = { sessionKey, sessionId: '', runId: '', signal };
  const prepared = await tool.prepare({ part, turn }, params);
  const verdict = decideAsk(prepared.effects, { mode: 'deny', judgePath: judgePath() });
  if (verdict.kind === 'refused') throw refuse(verdict.reason);
  if (verdict.kind === 'ask') throw refuse(`${verdict.ask.title}: ${verdict.ask.description}`);
  return await prepared.run({ signal, onUpdate: () => undefined, rejected: new Map(), consent: 'free' });
}
