import { isRecord } from '../../base/json.ts';
import type { AgentFile } from './agentFile.ts';
import { checkPart } from './checkPart.ts';
import { dropUndefined } from './dropUndefined.ts';
import { mcpServerSchema } from './partSchemas.ts';
import type { Report } from './report.ts';

/**
 * The MCP servers of a file that are well described and switched on. What is wrong with one is a warning and stops nobody: its tools are
 * missing, and no guard is.
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
  return Object.entries(said).flatMap(([name, value]) => {
    const path = ['mcpServers', name];
    const server = checkPart(mcpServerSchema, value, path, report, { unknownKeys: 'warn', problems: 'warn' });
    if (server === undefined || server.enabled === false) return [];
    return [{ name, type: server.type, line: report.lineOf(path), said: dropUndefined(server) }];
  });
}
