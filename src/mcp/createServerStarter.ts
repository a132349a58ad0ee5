// Threat: a server reads keys from the environment it is given, outlives the window, or leaves children behind. So it gets a short list of
// variables and what the config names for it, leads a process group of its own, and whatever carries its mark ends with it, where the system
// tells who carries it.
import { randomUUID } from 'node:crypto';
import { delimiter, resolve } from 'node:path';
import { PincerError } from '../base/errors.ts';
import type { McpServerConfig } from '../config/sections/mcpSection.ts';
import type { ListenForBrowser } from '../host/browserReturn.ts';
import type { Clock, Secrets } from '../host/ports.ts';
import type { Processes, RunningProcess } from '../host/processes.ts';
import type { GuardedFetch } from '../net/createGuardedFetch.ts';
import type { DockerExec } from '../sandbox/docker/createDockerExec.ts';
import type { Connection, ConnectionDeps, Wire } from './connection/connection.ts';
import type { SignIn, SignInDeps } from './connection/createSignIn.ts';
import type * as Library from './connection/index.ts';
import type { LaunchStart } from './keptPackage.ts';
import type { ResolvedLaunch } from './launch.ts';
import { startSandboxed, type RunningServer } from './startSandboxed.ts';
import type { NamedServer } from './mcpServers.ts';

export interface ServerStarterDeps {
  readonly processes: Processes;
  readonly clock: Clock;
  readonly listenForBrowser: ListenForBrowser;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: Secrets;
  /** The guard of connections. */
  readonly fetch: GuardedFetch;
  /** Pincer's own version, which servers are told. */
  readonly version: string;
  /** Where a server runs whose config names no folder. Absolute path. */
  readonly workdir: () => string;
  /** A sandbox for one server. */
  readonly openSandbox: () => Promise<DockerExec>;
}

/** A server that answers. */
export interface LiveServer {
  readonly connection: Connection;
  /** Ends it, with all that it started. */
  end(): Promise<void>;
}

export interface StartOptions {
  readonly wire: Wire | undefined;
  readonly signal: AbortSignal;
  readonly log: (text: string) => void;
  readonly answer: ConnectionDeps['answer'];
  /** Asks a person to sign in. */
  readonly open: SignInDeps['open'];
  readonly toolsChanged: () => void;
  readonly closed: ConnectionDeps['closed'];
}

/** Starts what was resolved, and nothing else. @throws PincerError `mcp_not_connected`, `mcp_key_missing`, `process_*` */
export type StartServer = (
  server: NamedServer,
  resolved: ResolvedLaunch,
  options: StartOptions,
) => Promise<LiveServer>;

const connectMs = 30_000;
/** How long a call may take whose server says nothing of it. */
export const defaultTimeoutMs = 60_000;

/** All that a server gets of the user's environment. */
const inherited = [
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'LANG',
    'LC_ALL',
    'TMPDIR',
    'TZ',
    'XDG_CACHE_HOME',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
  ],
  // Programs on Windows don't start without most of these.
  ...[
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATHEXT',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
];

const markName = 'PINCER_MCP';

export function createServerStarter(deps: ServerStarterDeps): StartServer {
  return async (server, { program, start }, options) => {
    const { config } = server;
    // The protocol's library loads with the first server.
    const library = await import('./connection/index.ts');
    const { openConnection, createProcessTransport } = library;
    const known = { ...options, version: deps.version, clock: deps.clock, connectMs };
    if ('url' in config || program === undefined) {
      if (!('url' in config)) throw noProgram(server.name);
      return await connectTo(deps, library, { name: server.name, config }, known);
    }
    const { running, noteRest } = await startProgram(deps, { name: server.name, config, program, start });
    const end = async (connection?: Connection): Promise<void> => {
      const endRest = await noteRest();
      await connection?.close();
      await endRest();
    };
    const transport = createProcessTransport(running, { clock: deps.clock, log: options.log });
    // What it leaves behind when it ends by itself, too.
    const closed = (): void => void end().then(() => options.closed());
    try {
      const connection = await openConnection(transport, { ...known, closed });
      return { connection, end: () => end(connection) };
    } catch (error) {
      await end();
      throw error;
    }
  };
}

type ProgramConfig = Extract<McpServerConfig, { command: string }>;

interface ProgramStart {
  readonly name: string;
  readonly config: ProgramConfig;
  readonly program: string;
  readonly start: LaunchStart | undefined;
}

/** A program on this machine, or in the sandbox. What `noteRest` gives ends what it leaves behind, its children of that moment, too. */
async function startProgram(
  deps: ServerStarterDeps,
  { name, config, program, start }: ProgramStart,
): Promise<{ readonly running: RunningServer; readonly noteRest: () => Promise<() => Promise<void>> }> {
  const { args = [] } = config;
  const cwd = resolve(deps.workdir(), config.cwd ?? '.');
  if (config.sandbox === true) {
    const env = await readValues(deps, name, config.env ?? {});
    const request = { name, command: program, args, workdir: cwd, env };
    const { running, end } = await startSandboxed(await deps.openSandbox(), request);
    return { running, noteRest: () => Promise.resolve(end) };
  }
  const mark = randomUUID();
  const env = await environmentFor(deps, name, config);
  const running = await deps.processes.start({
    file: program,
    args: start?.args ?? args,
    cwd,
    env: { ...withPrograms(env, start?.programs), ...start?.env, [markName]: mark },
    hasInput: true,
  });
  const noteRest = async (): Promise<() => Promise<void>> => {
    const endDescendants = await deps.processes.noteDescendants(running.pid);
    return async () => {
      await endRest(deps.processes, running, mark);
      await endDescendants();
    };
  };
  return { running, noteRest };
}

type AddressConfig = Extract<McpServerConfig, { url: string }>;

/** A server at an address, which may want a person to sign in: now, or once what was got by it is over. */
async function connectTo(
  deps: ServerStarterDeps,
  { openConnection, createAddressTransport, createSignIn, createSignInFetch }: typeof Library,
  { name, config }: { readonly name: string; readonly config: AddressConfig },
  options: StartOptions & Omit<ConnectionDeps, keyof StartOptions>,
): Promise<LiveServer> {
  const { url, oauth } = config;
  const headers = await readValues(deps, name, config.headers ?? {});
  // Who names a key of their own does not sign in.
  const hasKey = Object.keys(headers).some((each) => each.toLowerCase() === 'authorization');
  const secret =
    oauth?.clientSecret === undefined
      ? {}
      : { client_secret: await readValue(deps, name, 'the secret of its client', oauth.clientSecret) };
  const signIn = hasKey
    ? undefined
    : createSignIn({
        ...deps,
        ...{ server: name, address: url, open: options.open, log: options.log },
        fetch: createSignInFetch(url, deps.fetch),
        client: oauth === undefined ? undefined : { client_id: oauth.clientId, ...secret },
      });
  const timeoutMs = config.timeoutMs ?? defaultTimeoutMs;
  const parts = { fetch: deps.fetch, headers, timeoutMs };
  const open = (): Promise<Connection> =>
    openConnection(
      createAddressTransport(url, signIn === undefined ? parts : { ...parts, signed: signIn.signed }),
      options,
    );
  if (signIn === undefined) {
    const connection = await open();
    return { connection, end: () => connection.close() };
  }
  const connection = await signIn.during(open, options.signal);
  return { connection: withSignIn(connection, signIn), end: () => connection.close() };
}

function withSignIn(connection: Connection, { during }: SignIn): Connection {
  return {
    ...connection,
    listTools: (signal) => during(() => connection.listTools(signal), signal),
    callTool: (call) => during(() => connection.callTool(call), call.signal),
    request: (method, params, signal) => during(() => connection.request(method, params, signal), signal),
  };
}

/** What still runs in its group, and what has its mark in a group or session of its own. */
async function endRest(processes: Processes, { pid }: RunningProcess, mark: string): Promise<void> {
  const variable = `${markName}=${mark}`;
  if (await processes.hasMarkedProcess(pid, variable)) processes.killGroup(pid, 'SIGKILL');
  await processes.killMarked(variable);
}

/** An environment whose PATH begins with a folder. */
function withPrograms(
  env: Readonly<Record<string, string>>,
  folder: string | undefined,
): Readonly<Record<string, string>> {
  if (folder === undefined) return env;
  const name = Object.keys(env).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH';
  const rest = env[name] ?? '';
  return { ...env, [name]: rest === '' ? folder : `${folder}${delimiter}${rest}` };
}

/** All that a server, and what fetches its package, gets of an environment. @throws PincerError `mcp_key_missing` */
export async function environmentFor(
  { env, secrets }: Pick<ServerStarterDeps, 'env' | 'secrets'>,
  name: string,
  { env: wanted = {} }: ProgramConfig,
): Promise<Readonly<Record<string, string>>> {
  const result: Record<string, string> = {};
  for (const [each, value] of Object.entries(env))
    if (value !== undefined && inherited.includes(each.toUpperCase())) result[each] = value;
  return { ...result, ...(await readValues({ env, secrets }, name, wanted)) };
}

type Value = NonNullable<Extract<McpServerConfig, { command: string }>['env']>[string];

async function readValues(
  deps: Pick<ServerStarterDeps, 'env' | 'secrets'>,
  server: string,
  wanted: Readonly<Record<string, Value>>,
): Promise<Readonly<Record<string, string>>> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(wanted))
    result[name] = await readValue(deps, server, name, value);
  return result;
}

async function readValue(
  { env, secrets }: Pick<ServerStarterDeps, 'env' | 'secrets'>,
  server: string,
  name: string,
  value: Value,
): Promise<string> {
  if (typeof value === 'string') return value;
  const found = 'env' in value ? env[value.env] : await secrets.get(value.secret);
  if (found !== undefined) return `${value.before ?? ''}${found}`;
  const place = 'env' in value ? `the environment variable ${value.env}` : `the secret "${value.secret}"`;
  throw new PincerError(
    'mcp_key_missing',
    `The MCP server ${server} wants ${name} from ${place}, which is not set.`,
    {
      hint: 'Set it, or change mcp.servers in your config.',
    },
  );
}

function noProgram(name: string): PincerError {
  return new PincerError('mcp_program_missing', `The program of the MCP server ${name} was not found.`);
}
