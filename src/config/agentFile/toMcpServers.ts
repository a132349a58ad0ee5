import { isRecord } from '../../base/json.ts';
import type { AgentFile } from './agentFile.ts';
import { checkPart } from './checkPart.ts';
import { mcpServerSchema } from './partSchemas.ts';
import type { Report } from './report.ts';

/**
 * The MCP servers of a file that are well described and switched on. Nothing starts them, so what is wrong with one is a warning and
 * stops nobody.
 */
export function toMcpServers(said: unknown, report: Report): AgentFile['mcpServers'] {
  if (said === undefined) return [];
  if (!isRecord(said)) {
    report.add({
      level: 'warn',
      code: 'agent_file_invalid',
      path: ['mcpServers'],
      message: 'mcpServers: expected servers by name.',
      hint: 'Write mcpServers: { tides: { type: http, url: "https://tides.example/mcp" } }.',
    });
    return [];
  }
  const servers = Object.entries(said).flatMap(([name, value]) => {
    const path = ['mcpServers', name];
    const server = checkPart(mcpServerSchema, value, path, report, { unknownKeys: 'warn', problems: 'warn' });
    if (server === undefined || server.enabled === false) return [];
    return [{ name, type: server.type, line: report.lineOf(path) }];
  });
  if (servers.length > 0)
    report.add({
      level: 'info',
      code: 'agent_file_mcp_not_started',
      path: ['mcpServers'],
      at: 'key',
      message: `MCP servers are listed but not started: ${servers.map(({ name }) => name).join(', ')}.`,
    });
  return servers;
}
