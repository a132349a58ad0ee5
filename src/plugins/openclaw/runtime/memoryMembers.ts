import { isRecord } from '../../../base/json.ts';
import type { AgentTool } from '../../../contracts/tool.ts';
import type { MemorySearchManagerResult, PluginTool } from '../../../sdk/types.ts';
import type { MemoryTools } from '../../../tools/core/memory/createMemoryTools.ts';
import { createPathJudge } from '../../../tools/paths/createPathJudge.ts';
import { toHostTool } from '../../tools/hostTool.ts';
import { createMemorySearchManager } from './createMemorySearchManager.ts';
import type { PluginMemory } from './pluginMemory.ts';

interface MemoryMemberParts {
  readonly pluginId: string;
  readonly assertLoaded: (method: string) => void;
  /** The plugin has called a member that has no effect here. */
  readonly noteIdle: (member: string, lost: string) => void;
  readonly memory?: PluginMemory;
}

type Members = Readonly<Record<string, unknown>>;

/** `api.runtime.tools`: the host's memory tools for a plugin to register; null where there is no memory (upstream's answer). */
export function memoryToolMembers(parts: MemoryMemberParts): Members {
  const maker =
    (name: string, pick: (tools: MemoryTools) => AgentTool) =>
    (context?: unknown): PluginTool | null => {
      parts.assertLoaded(name);
      const { memory } = parts;
      return memory === undefined ? null : toolForPlugin(parts, memory, pick(memory.tools), context);
    };
  return {
    createMemorySearchTool: maker('runtime.tools.createMemorySearchTool', ({ search }) => search),
    createMemoryGetTool: maker('runtime.tools.createMemoryGetTool', ({ get }) => get),
    createMemoryAppendTool: maker('runtime.tools.createMemoryAppendTool', ({ append }) => append),
    registerMemoryCli: () =>
      parts.noteIdle('tools.registerMemoryCli', 'pincer memory is there whichever plugin has the slot'),
  };
}

/** `api.runtime.memory`: the memory for programs, by upstream's name. */
export function memoryMembers(parts: MemoryMemberParts): Members {
  return {
    getActiveMemorySearchManager(): Promise<MemorySearchManagerResult> {
      const assertLoaded = (): void => parts.assertLoaded('runtime.memory.getActiveMemorySearchManager');
      assertLoaded();
      const { memory } = parts;
      if (memory === undefined) return Promise.resolve({ manager: null, error: 'there is no memory here' });
      const reader = toolForPlugin(parts, memory, memory.tools.get, undefined);
      return Promise.resolve({ manager: createMemorySearchManager(memory, reader, assertLoaded) });
    },
  };
}

function toolForPlugin(
  { pluginId, assertLoaded }: MemoryMemberParts,
  memory: PluginMemory,
  tool: AgentTool,
  context: unknown,
): PluginTool {
  return toHostTool(tool, {
    pluginId,
    sessionKey: sessionKeyOf(context),
    judgePath: () => createPathJudge(memory.layout()),
    assertLoaded: () => assertLoaded(tool.name),
  });
}

/** Upstream's contexts carry it under either name. */
function sessionKeyOf(context: unknown): string {
  const key = isRecord(context) ? (context['agentSessionKey'] ?? context['sessionKey']) : undefined;
  return typeof key === 'string' ? key : '';
}
