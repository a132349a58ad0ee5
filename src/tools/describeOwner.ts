import type { ToolOwner } from '../contracts/tool.ts';

/** `Pincer`, `plugin x` or `MCP server x`. */
export function describeOwner(owner: ToolOwner): string {
  switch (owner.kind) {
    case 'core':
      return 'Pincer';
    case 'plugin':
      return `plugin ${owner.pluginId}`;
    case 'mcp':
      return `MCP server ${owner.server}`;
  }
}

/** `core`, the id of a plugin, or `mcp:x`: who brought a tool, in one word. */
export function ownerId(owner: ToolOwner): string {
  switch (owner.kind) {
    case 'core':
      return 'core';
    case 'plugin':
      return owner.pluginId;
    case 'mcp':
      return `mcp:${owner.server}`;
  }
}
