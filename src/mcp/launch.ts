// Threat: what a person agreed to is not what starts. The name stays and the command is another one, a program or script is exchanged on
// the disk, one more variable of the environment goes along, an address moves to another host. So the consent names all of it, and it is
// compared with what is there each time, immediately before the start.
import { createHash } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import { PincerError } from '../base/errors.ts';
import { stableStringify } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import type { McpServerConfig } from '../config/sections/mcpSection.ts';
import type { FileSystem } from '../host/ports.ts';
import { hashFile } from './hashFile.ts';
import {
  describePackageChanges,
  findInstalled,
  findPackageWarnings,
  type InstalledPackage,
} from './installedPackage.ts';
import { findManager, planKept, type LaunchStart, type PackageFetch } from './keptPackage.ts';
import {
  findFolderCode,
  findHiddenLauncher,
  findStartFiles,
  mayLoadCode,
  namesFolder,
  programName,
  type StartLine,
} from './launchFiles.ts';
import { findObeyed, isOwnProgram, localName, planNpxStart } from './npxStart.ts';
import { isOpenEnded, readFetched, type FetchedPackage } from './readFetched.ts';
import { findProgram } from '../sandbox/findProgram.ts';

/** A file that a start runs, as it is on the disk. */
interface LaunchFile {
  /** Absolute, links followed but of what npx looks up. */
  readonly path: string;
  readonly sha256: string;
}

/** What a server's start runs, or where its requests go: what a consent is for. */
export type Launch =
  | {
      readonly kind: 'program';
      readonly command: string;
      readonly args: readonly string[];
      /** The variables that the config adds, each as `describeValue` names it. */
      readonly env: readonly string[];
      /** As the config names it; undefined is the folder that is open. */
      readonly cwd?: string | undefined;
      /** The folder that it starts in, where the config names none and what runs is taken from it. */
      readonly runsIn?: string | undefined;
      /** The program, where it is not one of a container, and the scripts among its arguments. */
      readonly files: readonly LaunchFile[];
      /** The package that a launcher takes from the disk; undefined where it would fetch one, or starts no package. */
      readonly installed?: InstalledPackage | undefined;
      /** The container that it runs in; undefined where it runs with the user's rights. */
      readonly sandbox?: string | undefined;
    }
  | {
      readonly kind: 'address';
      /** Scheme, host and port. */
      readonly origin: string;
      /** The headers that the config adds, in the same form. */
      readonly headers: readonly string[];
      /** The client that signs in, where the config names one. */
      readonly client?: string | undefined;
    };

interface LaunchMachine {
  readonly fs: Pick<FileSystem, 'stat' | 'stamp' | 'realpath' | 'readRange' | 'readText' | 'readDirectory'>;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The sandbox as the config has it now. */
  readonly sandbox: () => string;
  /** `~/.pincer`: absolute path of a folder where no tool of an agent writes. */
  readonly home: string;
}

/** What a person reads of a launch that was never agreed to, or the program to start. */
export interface ResolvedLaunch {
  readonly launch: Launch;
  /** Absolute path of the program; undefined for an address. */
  readonly program?: string;
  /** How it is started where that is not as the command line says. */
  readonly start?: LaunchStart | undefined;
  /** What is to be fetched first; then the launch is to be read again. */
  readonly fetch?: PackageFetch | undefined;
}

/** Reads what a server's start would run. Hashes are kept for as long as a file stays as it is. */
export function createLaunchReader(
  machine: LaunchMachine,
): (server: McpServerConfig, workdir: string) => Promise<ResolvedLaunch> {
  const known = new Map<string, { readonly stamp: string; readonly sha256: string }>();
  const hashOf = async (path: string): Promise<string> => {
    const stamp = await machine.fs.stamp(path);
    const found = known.get(path);
    if (found?.stamp === stamp && stamp !== '') return found.sha256;
    const sha256 = await hashFile(machine.fs, path);
    known.set(path, { stamp, sha256 });
    return sha256;
  };
  const hashAll = async (paths: readonly string[]): Promise<readonly LaunchFile[]> => {
    const files: LaunchFile[] = [];
    for (const path of paths) files.push({ path, sha256: await hashOf(path) });
    return files;
  };
  return async (server, workdir) => {
    if ('url' in server) return { launch: addressOf(server) };
    const cwd = resolve(workdir, server.cwd ?? '.');
    const line = { command: server.command, args: server.args ?? [], texts: textsOf(server.env ?? {}) };
    if (server.sandbox === true) {
      const files = await hashAll(await findScripts(machine, line, cwd));
      return { launch: { ...programOf(server), files, sandbox: machine.sandbox() }, program: server.command };
    }
    const search = { ...machine, env: definedOnly(machine.env), cwd };
    const program = await findProgram(search, server.command);
    if (program === undefined) throw programMissing(server.command);
    const scripts = await findScripts(machine, line, cwd);
    const fetched = readFetched(server.command, line.args);
    const env = { ...machine.env, ...line.texts };
    if (fetched === undefined) {
      const files = await hashAll([await machine.fs.realpath(program), ...scripts]);
      const takesFolder =
        (server.cwd === undefined || !isAbsolute(server.cwd)) &&
        findFolderCode(line) !== undefined &&
        !namesFolder(line.args);
      const folder = takesFolder ? { runsIn: await machine.fs.realpath(cwd) } : {};
      return { launch: { ...programOf(server), ...folder, files }, program };
    }
    const packages = { ...machine, env, cwd };
    const obeyed = await findObeyed(fetched, packages);
    // A launcher that looks among the programs of the folder goes on with those of the machine.
    const own = localName(fetched);
    const onPath = own === undefined ? undefined : await findProgram(search, own);
    const programs = [...obeyed.programs, ...(onPath === undefined ? [] : [onPath])];
    const paths = [await machine.fs.realpath(program), ...programs, ...obeyed.interpreters, ...scripts];
    const { installer, unclear } = fetched;
    if (installer !== undefined && unclear === undefined && programs.length === 0) {
      const manager = await findManager(search, installer, program);
      if (manager === undefined) throw programMissing(installer.program);
      const files = await hashAll([...new Set([...paths, await machine.fs.realpath(manager)])]);
      const { installed, ...start } = await planKept(fetched, installer, { ...machine, search, manager });
      return { launch: { ...programOf(server), files, ...(installed && { installed }) }, ...start };
    }
    const files = await hashAll([...new Set(paths)]);
    const installed = await findInstalled(fetched, packages);
    const found = await findProgram(search, 'node');
    const node = found === undefined ? undefined : await machine.fs.realpath(found);
    const npx = planNpxStart(fetched, { ...packages, installed, obeyed, project: machine.home, node });
    return {
      launch: { ...programOf(server), files, ...(installed === undefined ? {} : { installed }) },
      program,
      start: npx && { env: npx.env, args: [...npx.args, ...(server.args ?? [])] },
    };
  };
}

function programOf(
  server: Extract<McpServerConfig, { command: string }>,
): Omit<Extract<Launch, { kind: 'program' }>, 'files' | 'installed' | 'sandbox' | 'runsIn'> {
  const { command, args = [], env = {}, cwd } = server;
  return {
    kind: 'program',
    command,
    args,
    env: describeValues(env),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

type Values = NonNullable<Extract<McpServerConfig, { command: string }>['env']>;

function describeValues(values: Values): readonly string[] {
  return Object.entries(values)
    .map(([name, value]) => describeValue(name, value))
    .sort();
}

/** A value by its place, or by its whole hash where it stands in the config itself; one that loads other code is to be read. */
function describeValue(name: string, value: Values[string]): string {
  if (typeof value !== 'string')
    return `${name} ${value.before === undefined ? '' : `${JSON.stringify(value.before)} and what is `}from ${placeOf(value)}`;
  return mayLoadCode(name)
    ? `${name}=${value}`
    : `${name} (${createHash('sha256').update(value).digest('hex')})`;
}

function placeOf(value: Exclude<Values[string], string>): string {
  return 'env' in value ? value.env : `the secret ${value.secret}`;
}

/** A value as a person reads it: no more of a hash than tells two apart at a glance. Pure. */
export function shortValue(described: string): string {
  return described.replace(/ \(([0-9a-f]{8})[0-9a-f]{56}\)$/u, ' ($1…)');
}

function addressOf({ url, headers = {}, oauth }: Extract<McpServerConfig, { url: string }>): Launch {
  const secret = oauth?.clientSecret;
  const client =
    secret === undefined ? oauth?.clientId : describeValue(`${oauth?.clientId ?? ''}, its secret`, secret);
  return {
    kind: 'address',
    origin: new URL(url).origin,
    headers: describeValues(headers),
    ...(client === undefined ? {} : { client }),
  };
}

/** Values that stand in the config itself. */
function textsOf(values: Values): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

const noProgram = { files: [], installed: undefined, sandbox: undefined, runsIn: undefined };

/** Whether the config still says what was agreed to, as far as it can be told without reading files. Pure. */
export function isSameRequest(server: McpServerConfig, agreed: Launch): boolean {
  const {
    files: _files,
    installed: _installed,
    runsIn: _runsIn,
    sandbox,
    ...said
  } = agreed.kind === 'program' ? agreed : { ...agreed, ...noProgram };
  const wantsSandbox = 'command' in server && server.sandbox === true;
  if ((sandbox !== undefined) !== wantsSandbox) return false;
  const wanted = 'url' in server ? addressOf(server) : programOf(server);
  return stableStringify(wanted) === stableStringify(said);
}

/** Names a launch in one word. Pure. */
export function hashLaunch(launch: Launch): string {
  return createHash('sha256').update(stableStringify(launch)).digest('hex');
}

/** How long an agreement holds where nothing says what will run. */
const openEndedDays = 30;

/** Why an agreement no longer holds: what is different now, one line each; none where nothing is, but nothing fixes what has run for too long. */
export type Invalidation = readonly string[];

/** Undefined where the agreement holds. Pure. */
export function findInvalidation(
  agreed: { readonly launch: Launch; readonly agreedAt: number },
  launch: Launch,
  now: number,
): Invalidation | undefined {
  const fetched = launch.kind === 'program' ? readFetched(launch.command, launch.args) : undefined;
  const isOpen =
    launch.kind === 'program' &&
    fetched !== undefined &&
    isOpenEnded(fetched) &&
    !isOwnProgram(fetched, launch);
  const isHidden = launch.kind === 'program' && findHiddenLauncher(launch) !== undefined;
  const isExpired = (isOpen || isHidden) && now - agreed.agreedAt > openEndedDays * 86_400_000;
  const changes = describeLaunchChanges(agreed.launch, launch);
  return changes.length > 0 || isExpired ? changes : undefined;
}

/** The end of a sentence. Pure. */
export function describeInvalidation(changes: Invalidation): string {
  return changes.length === 0
    ? `you agreed to this ${String(openEndedDays)} days ago; nothing fixes which version it runs`
    : `it would run something else than what you agreed to (${inertLine(changes.join('; '), 300)})`;
}

/** What is different, one line each, ready to be shown once made inert. Empty where nothing is. Pure. */
function describeLaunchChanges(before: Launch, after: Launch): readonly string[] {
  if (before.kind !== after.kind) return [`it was ${kindText(before)} and is ${kindText(after)}`];
  if (before.kind === 'address' || after.kind === 'address') {
    const [old, now] = [before, after] as readonly Extract<Launch, { kind: 'address' }>[];
    return [
      ...changed('address', old?.origin, now?.origin),
      ...changedNames('header', old?.headers, now?.headers),
      ...changed('client of the sign-in', old?.client, now?.client),
    ];
  }
  return [
    ...changed('command', before.command, after.command),
    ...changed('arguments', before.args.join(' '), after.args.join(' ')),
    ...changedNames('environment variable', before.env, after.env),
    ...changed('sandbox', before.sandbox, after.sandbox),
    ...changed('folder', before.cwd ?? 'the open folder', after.cwd ?? 'the open folder'),
    ...changed('folder whose code it runs', before.runsIn, after.runsIn),
    ...changedFiles(before.files, after.files),
    ...describePackageChanges(before.installed, after.installed),
  ];
}

function kindText({ kind }: Launch): string {
  return kind === 'program' ? 'a program' : 'an address';
}

function changed(what: string, before: string | undefined, after: string | undefined): readonly string[] {
  return before === after ? [] : [`${what}: ${before ?? 'none'} → ${after ?? 'none'}`];
}

function changedNames(
  what: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
): readonly string[] {
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => `new ${what}: ${shortValue(name)}`),
    ...before.filter((name) => !after.includes(name)).map((name) => `${what} gone: ${shortValue(name)}`),
  ];
}

function changedFiles(before: readonly LaunchFile[], after: readonly LaunchFile[]): readonly string[] {
  const old = new Map(before.map(({ path, sha256 }) => [path, sha256]));
  const paths = new Set(after.map(({ path }) => path));
  return [
    ...after.flatMap(({ path, sha256 }) => {
      const known = old.get(path);
      if (known === undefined) return [`runs another file: ${path}`];
      return known === sha256 ? [] : [`the file has changed: ${path}`];
    }),
    ...before.filter(({ path }) => !paths.has(path)).map(({ path }) => `no longer runs the file: ${path}`),
  ];
}

/** What a person should know of a launch before agreeing to it. Pure. */
export function findLaunchWarnings(launch: Launch): readonly string[] {
  if (launch.kind === 'address')
    return new URL(launch.origin).protocol === 'http:' ? ['The connection is not encrypted.'] : [];
  const loaders = launch.env.flatMap((each) => /^(\w+)=/u.exec(each)?.[1] ?? []);
  return [
    ...loaders.map((name) => `${name} can make it run other code: look at its value.`),
    ...findCodeWarnings(launch),
  ];
}

function findCodeWarnings(launch: Extract<Launch, { kind: 'program' }>): readonly string[] {
  if (launch.sandbox !== undefined)
    return launch.sandbox.includes('@sha256:')
      ? []
      : [
          'What the image of the sandbox holds is not compared: name it by its digest, image@sha256:…, in sandbox.image.',
        ];
  const fetched = readFetched(launch.command, launch.args);
  if (fetched !== undefined && isOwnProgram(fetched, launch))
    return [`${fetched.name} is ${placeOfProgram(fetched)}: whoever writes there decides what runs.`];
  if (fetched !== undefined) return findPackageWarnings(fetched, launch.installed);
  const hidden = findHiddenLauncher(launch);
  if (hidden !== undefined)
    return [
      `It starts ${hidden}, and what that fetches is not compared: make ${hidden} the command of the server.`,
    ];
  const folderCode = findFolderCode(launch);
  if (folderCode !== undefined) return [folderCode];
  const name = programName(launch.command);
  if (!['docker', 'podman'].includes(name)) return [];
  const wanted = launch.args.find((arg) => !arg.startsWith('-') && arg !== 'run') ?? '';
  const isPinned = wanted.includes('@sha256:');
  return isPinned
    ? []
    : [`${name} runs whatever the registry serves: name the image by its digest, image@sha256:….`];
}

/** @throws PincerError `mcp_program_missing` */
async function findScripts(machine: LaunchMachine, line: StartLine, cwd: string): Promise<readonly string[]> {
  const { files, missing } = await findStartFiles(machine, line, cwd);
  if (missing !== undefined) throw scriptMissing(missing, cwd);
  return files;
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Where a launcher takes a program from, as the end of a sentence. */
function placeOfProgram({ byNpm }: FetchedPackage): string {
  return byNpm
    ? 'a program of the folder it runs in'
    : 'a program of this machine, or of the folder it runs in';
}

function programMissing(command: string): PincerError {
  return new PincerError('mcp_program_missing', `There is no program ${command}.`, {
    hint: 'Check its name and that it is installed, or write its absolute path.',
  });
}

function scriptMissing(script: string, folder: string): PincerError {
  return new PincerError('mcp_program_missing', `There is no ${script} in ${folder}.`, {
    hint: 'Write its absolute path, or name the folder: cwd in its entry.',
  });
}
