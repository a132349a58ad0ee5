import { join, resolve } from 'node:path';
import { errorMessage, PincerError } from '../base/errors.ts';
import type { AgentFile } from '../dexto/agentFile/agentFile.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createLaunchReader } from '../mcp/launch.ts';
import { createMcpServers } from '../mcp/createMcpServers.ts';
import { describeSandbox } from '../mcp/startSandboxed.ts';
import { createPackageFetcher } from '../mcp/createPackageFetcher.ts';
import { createServerStarter } from '../mcp/createServerStarter.ts';
import { readEntries, readServers, secretsOf, withOwnSecrets } from '../mcp/readServers.ts';
import type { McpServers, NamedServer, ServerOrigin } from '../mcp/mcpServers.ts';
import { createGuardedFetch } from '../net/createGuardedFetch.ts';
import { readProxySettings } from '../net/proxySettings.ts';
import type { PluginRecord } from '../plugins/pluginTypes.ts';
import type { SandboxOptions } from '../sandbox/docker/sandboxOptions.ts';
import { createOrphanedProcesses } from '../sandbox/createOrphanedProcesses.ts';
import { maxResultChars } from '../tools/pipeline/toolResult.ts';
import { openDockerExec } from './createCommands.ts';
import type { AgentCore } from './createAgentCore.ts';
import type { McpService, RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface McpSideParts {
  readonly input: RuntimeInput;
  readonly window: Pick<RuntimeState, 'config' | 'folders' | 'isTrusted' | 'report'>;
  readonly core: AgentCore;
  readonly plugins: () => readonly PluginRecord[];
  readonly agentFile: () => AgentFile | undefined;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** MCP servers of this window. What a crash leaves of them is noted where that of commands is, and ended with it. */
export function createMcpSide(parts: McpSideParts): McpSide {
  const { input, window, core, redact } = parts;
  const { host, home, stateFolder } = input;
  const orphans = createOrphanedProcesses({
    ...host,
    path: join(stateFolder, 'running'),
    report: (problem) => host.log.write('warn', `[mcp] ${problem}`),
  });
  const workdir = (): string => window.folders()[0] ?? host.userHome;
  const sandbox = (): SandboxOptions => window.config().sandbox;
  const readLaunch = createLaunchReader({ ...host, home, sandbox: () => describeSandbox(sandbox()) });
  const owner = createProcessOwner((pid) => host.processes.startTimeOf(pid), host.processes.ownPid);
  const servers = createMcpServers({
    ...host,
    owner,
    home,
    named: async (fs) => [
      ...Object.entries(window.config().mcp.servers).map(([name, config]): NamedServer => ({
        name,
        origin: { kind: 'user' },
        config,
      })),
      ...serversOfPlugins(parts),
      ...(window.isTrusted() ? await readWorkspaceServers(fs, window) : []),
    ],
    readLaunch: ({ config }) => readLaunch(config, workdir()),
    fetchPackage: createPackageFetcher({
      ...host,
      processes: orphans.processes,
      owner,
    }),
    start: createServerStarter({
      ...host,
      processes: orphans.processes,
      // Only the origin that was agreed to is asked for, and that goes past every proxy.
      fetch: createGuardedFetch({
        ...host,
        options: () => ({ proxies: readProxySettings(host.env), allowProxy: false }),
      }),
      version: clientVersion,
      workdir,
      openSandbox: () => openDockerExec(host, window.folders, sandbox),
    }),
    toolNames: () => core.tools.core.map(({ name }) => name),
    taint: core.taint,
    redact,
    maxResultChars,
    report: window.report,
    closed: () => orphans.close(),
  });
  let taken = '[]';
  return {
    ...servers,
    async pluginsLoaded() {
      const now = JSON.stringify(serversOfPlugins(parts));
      if (now === taken) return;
      taken = now;
      await servers.refresh();
    },
  };
}

/** The servers, which hear when other plugins bring others. */
export interface McpSide extends McpServers {
  readonly pluginsLoaded: () => Promise<void>;
}

/** Servers of the agent file and of plugins that run. Each is looked at by itself: who agreed to a plugin did not see what its server is. */
function serversOfPlugins({ agentFile, plugins, window }: McpSideParts): readonly NamedServer[] {
  const take = (
    entries: Readonly<Record<string, unknown>>,
    origin: ServerOrigin,
    source: string,
    fill?: (text: string) => string,
  ): readonly NamedServer[] => {
    const { servers, problems } = readEntries(entries, fill);
    for (const why of problems) window.report(invalidServers(source, why));
    return servers.map((server) => ({ ...server, config: withOwnSecrets(server), origin }));
  };
  const file = agentFile();
  const ofFile = Object.fromEntries(
    (file?.mcpServers ?? []).map(({ name, said }) => [name, { ...said, timeoutMs: said['timeout'] }]),
  );
  return [
    ...(file === undefined ? [] : take(ofFile, { kind: 'file', path: file.path }, file.path)),
    ...plugins().flatMap(({ id, rootDir, manifestPath, mcpServers = {} }) =>
      take(mcpServers, { kind: 'plugin', pluginId: id }, manifestPath, (text) =>
        text.replaceAll(/\$\{(?:CLAUDE|OPENCLAW)_PLUGIN_ROOT\}/gu, () => rootDir),
      ).map((server) => inFolder(server, rootDir)),
    ),
  ];
}

/** A program of a plugin runs in the plugin's folder. */
function inFolder(server: NamedServer, folder: string): NamedServer {
  const { config } = server;
  if ('url' in config) return server;
  return {
    ...server,
    config: { ...config, cwd: config.cwd === undefined ? folder : resolve(folder, config.cwd) },
  };
}

function invalidServers(source: string, why: string): Diagnostic {
  return { level: 'warn', code: 'mcp_file_invalid', message: `MCP servers of ${source}: ${why}`, source };
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
    const invalid = (why: string): void => report(invalidServers(path, why));
    try {
      const { servers, problems } = readServers(await fs.readText(path, maxFileBytes));
      found.push(
        ...servers.map((server): NamedServer => ({
          ...server,
          config: withOwnSecrets(server),
          origin: { kind: 'file', path },
        })),
      );
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

/** The servers with what changes the user's config; `readConfig` takes over what is written there. */
export function createMcpService(
  mcp: McpServers,
  { host, home }: RuntimeInput,
  { readConfig, served }: { readonly readConfig: () => Promise<void>; readonly served: McpService['served'] },
): McpService {
  const path = userConfigPath(home);
  const { fs, secrets } = host;
  return {
    ...mcp,
    read: readServers,
    served,
    async add(name, said) {
      if (mcp.list().some((each) => each.name.toLowerCase() === name.toLowerCase()))
        throw existsAlready(name);
      const config = withOwnSecrets({ name, config: said });
      await editConfigFile(fs, path, ['mcp', 'servers', name], config);
      await readConfig();
      const known = await Promise.all(secretsOf(config).map(({ secret }) => secrets.get(secret)));
      return secretsOf(config).filter((_, at) => known[at] === undefined);
    },
    async remove(name) {
      const server = mcp.list().find((each) => each.name === name);
      await mcp.forget(name);
      if (server?.origin.kind !== 'user') return;
      await editConfigFile(fs, path, ['mcp', 'servers', name], undefined);
      for (const secret of server.secrets)
        if (secret.startsWith(`mcp.${name}.`)) await secrets.delete(secret);
      await readConfig();
    },
  };
}

function existsAlready(name: string): PincerError {
  return new PincerError('mcp_exists', `There is an MCP server ${name} already.`, {
    hint: 'Give this one another name, or remove the other from your config.',
  });
}
