import { join } from 'node:path';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { FileSystem } from '../host/ports.ts';
import { createLaunchReader } from '../mcp/launch.ts';
import { createMcpServers } from '../mcp/createMcpServers.ts';
import { createServerStarter } from '../mcp/createServerStarter.ts';
import { readServers } from '../mcp/readServers.ts';
import type { McpServers, NamedServer } from '../mcp/mcpServers.ts';
import { createGuardedFetch } from '../net/createGuardedFetch.ts';
import { readProxySettings } from '../net/proxySettings.ts';
import { createLeftovers } from '../sandbox/createLeftovers.ts';
import { maxResultChars } from '../tools/pipeline/capResult.ts';
import type { AgentCore } from './createAgentCore.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface McpSideParts {
  readonly input: RuntimeInput;
  readonly window: Pick<RuntimeState, 'config' | 'folders' | 'isTrusted' | 'report'>;
  readonly core: AgentCore;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** MCP servers of this window. What a crash leaves of them is noted where that of commands is, and ended with it. */
export function createMcpSide({ input, window, core, redact }: McpSideParts): McpServers {
  const { host, home, stateFolder } = input;
  const leftovers = createLeftovers({
    ...host,
    path: join(stateFolder, 'running'),
    report: (problem) => host.log.write('warn', `[mcp] ${problem}`),
  });
  const workdir = (): string => window.folders()[0] ?? host.userHome;
  const readLaunch = createLaunchReader(host);
  return createMcpServers({
    ...host,
    home,
    named: async (fs) => [
      ...Object.entries(window.config().mcp.servers).map(([name, config]): NamedServer => ({
        name,
        origin: { kind: 'user' },
        config,
      })),
      ...(window.isTrusted() ? await readWorkspaceServers(fs, window) : []),
    ],
    readLaunch: ({ config }) => readLaunch(config, workdir()),
    start: createServerStarter({
      ...host,
      processes: leftovers.processes,
      // Only the origin that was agreed to is asked for, and that goes past every proxy.
      fetch: createGuardedFetch({
        ...host,
        options: () => ({ proxies: readProxySettings(host.env), allowProxy: false }),
      }),
      version: clientVersion,
      workdir,
    }),
    toolNames: () => core.tools.core.map(({ name }) => name),
    taint: core.taint,
    redact,
    maxResultChars,
    report: window.report,
    closed: () => leftovers.close(),
  });
}

const workspaceFiles = ['.vscode/mcp.json', '.mcp.json'];
const maxFileBytes = 1_000_000;

/** Servers that the open folders name for every client; they are looked at like those of the user. */
async function readWorkspaceServers(
  fs: FileSystem,
  { folders, report }: Pick<RuntimeState, 'folders' | 'report'>,
): Promise<readonly NamedServer[]> {
  const found: NamedServer[] = [];
  for (const path of folders().flatMap((folder) => workspaceFiles.map((file) => join(folder, file)))) {
    const invalid = (why: string): void =>
      report({
        level: 'warn',
        code: 'mcp_file_invalid',
        message: `MCP servers of ${path}: ${why}`,
        source: path,
      });
    try {
      const { servers, problems } = readServers(await fs.readText(path, maxFileBytes));
      found.push(...servers.map((server): NamedServer => ({ ...server, origin: { kind: 'file', path } })));
      problems.forEach(invalid);
    } catch (error) {
      const isMissing = error instanceof PincerError && error.code === 'io_not_found';
      if (!isMissing) invalid(errorMessage(error));
    }
  }
  return found;
}

/** What servers are told; which build it is does not concern them. */
const clientVersion = '1';
