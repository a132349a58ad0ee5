import { z } from 'zod';
import { estimateTool } from '../agent/context/estimateTokens.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { ToolCatalog } from '../tools/catalog.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { createCoreTool, textResult } from '../tools/core/coreTool.ts';

/** When tools of servers are too many for each request to carry them. */
interface ToolLimits {
  readonly maxTools: number;
  /** Of the model's window, from 0 to 1. */
  readonly maxToolShare: number;
}

const searchToolName = 'mcp_tools_search';
const maxFound = 8;

const schema = z.strictObject({
  query: z.string().describe('What the tool should do, in a few words, or its name.'),
  server: z.string().optional().describe('Only tools of this server.'),
});

/** True where these are more than the limits say. Pure. */
export function areTooMany(
  tools: readonly AgentTool[],
  { maxTools, maxToolShare }: ToolLimits,
  window: number | undefined,
): boolean {
  if (tools.length > maxTools) return true;
  if (window === undefined) return false;
  return tools.reduce((sum, tool) => sum + estimateTool(tool), 0) > window * maxToolShare;
}

/**
 * The catalog without the definitions of servers' tools but those that were found: the model knows the others by name, and finds them by
 * the search tool. Each stays callable, and stays behind everything that asks. `found` outlives the run, since the conversation does.
 */
export function deferTools(catalog: ToolCatalog, found: Set<string>): ToolCatalog {
  const isServers = ({ owner }: AgentTool): boolean => owner.kind === 'mcp';
  const all = catalog.tools();
  const search = all.find(({ name }) => name === searchToolName);
  if (search === undefined) return catalog;
  return {
    ...catalog,
    tools: () => all.filter((tool) => !isServers(tool) || found.has(tool.name)),
  };
}

/** The tool by which a model finds those that it knows by name alone. */
export function createSearchTool(
  tools: readonly AgentTool[],
  found: Set<string>,
  layout: () => WorkspaceLayout,
): AgentTool {
  const tool = createCoreTool(
    {
      name: searchToolName,
      label: 'Find tools of MCP servers',
      description: [
        'Gives the definitions of tools of MCP servers, which can be called after that. There are:',
        ...byServer(tools),
      ].join('\n'),
      schema,
      mayWrite: false,
      paths: () => [],
      prepare: ({ query, server }) =>
        Promise.resolve({
          effects: [],
          run: () => {
            const hits = rank(tools, query, server).slice(0, maxFound);
            for (const { name } of hits) found.add(name);
            const text =
              hits.length === 0
                ? 'No tool fits. Use other words, or a name of the list.'
                : hits
                    .map(
                      ({ name, description, parameters }) =>
                        `${name}: ${description}\n${JSON.stringify(parameters)}`,
                    )
                    .join('\n\n');
            return Promise.resolve(textResult(text, { found: hits.map(({ name }) => name) }));
          },
        }),
    },
    layout,
  );
  return { ...tool, savesTokens: tools.reduce((sum, each) => sum + estimateTool(each), 0) };
}

function byServer(tools: readonly AgentTool[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { name, owner } of tools) {
    const server = owner.kind === 'mcp' ? owner.server : '';
    names.set(server, [...(names.get(server) ?? []), name]);
  }
  return [...names].map(([server, all]) => `${server}: ${all.join(', ')}`);
}

/** By how many words of the query a name or description holds; a name counts more. Pure. */
function rank(tools: readonly AgentTool[], query: string, server: string | undefined): readonly AgentTool[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scoreOf = ({ name, description }: AgentTool): number => {
    if (name.toLowerCase() === query.trim().toLowerCase()) return Number.MAX_SAFE_INTEGER;
    const [names, text] = [name.toLowerCase(), description.toLowerCase()];
    return words.reduce(
      (sum, word) => sum + (names.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0),
      0,
    );
  };
  return tools
    .filter(({ owner }) => server === undefined || (owner.kind === 'mcp' && owner.server === server))
    .map((tool) => ({ tool, score: scoreOf(tool) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}
