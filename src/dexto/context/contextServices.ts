import type { AgentMessage } from '../../contracts/message.ts';
import type { SessionHeader } from '../../contracts/sessionEntry.ts';
import type { Tenant } from '../../contracts/tenant.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import type { PointContext } from '../../hooks/payloads/pointHooks.ts';

/** What plugins may know of a session. */
export interface SessionFacts {
  readonly id: string;
  readonly header: Pick<SessionHeader, 'createdAt' | 'tenant'>;
  messages(): readonly AgentMessage[];
}

/** The sessions of one tenant; those of others are not there. */
export interface SessionSource {
  open(id: string): Promise<SessionFacts | undefined>;
  list(): Promise<readonly string[]>;
}

/** What plugins may know of an MCP server. */
interface McpServerFacts {
  readonly name: string;
  readonly type: 'stdio' | 'http';
  readonly connected: boolean;
  /** Those that agents have, as models know them. */
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

/** What the host has for plugins to read. Everything is asked for when a plugin asks, and copied before it gets it. */
export interface ContextServices {
  readonly sessionsOf: (tenant: Tenant | undefined) => SessionSource;
  /** The tools that the agent of a call has. */
  readonly toolsOf: (call: PointContext) => readonly ToolDefinition[];
  readonly mcpServers: () => readonly McpServerFacts[];
  /** What holds now, without secrets. */
  readonly runtimeConfig: () => Readonly<Record<string, unknown>>;
}
