// Threat: what people paste comes from a page of a stranger. So nothing of it runs here: it becomes entries of the config, and each server
// is looked at by itself before it starts.
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { PincerError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import { mcpSchema, toServerName, type McpServerConfig } from '../config/sections/mcpSection.ts';

/** A server as somebody else's config describes it. */
export interface FoundServer {
  readonly name: string;
  readonly config: McpServerConfig;
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  /** What could not be taken over and why, one sentence each. */
  readonly problems: readonly string[];
}

/** Under which key clients keep their servers: Claude, Cursor, Cline and Windsurf; VS Code; Zed; Goose; Amp. */
const listKeys = ['mcpServers', 'servers', 'context_servers', 'extensions', 'amp.mcpServers'];

/**
 * Servers of a command line, an address, or the JSON of any client.
 * @throws PincerError `mcp_snippet_unknown`
 */
export function readServers(text: string): FoundServers {
  const trimmed = text
    .trim()
    .replace(/^```\w*\n([^]*)\n```$/u, '$1')
    .trim();
  if (/^https?:\/\/\S+$/iu.test(trimmed)) return readEntries({ [nameOfUrl(trimmed)]: { url: trimmed } });
  if (/^["{]/u.test(trimmed)) return readJson(trimmed);
  const words = splitLine(trimmed.replace(/\\\n/gu, ' '));
  const [command, ...args] = words;
  if (command === undefined || trimmed.replace(/\\\n/gu, '').includes('\n')) throw unknownSnippet();
  const added = readAddCommand(words);
  if (added !== undefined) return readEntries(added);
  return readEntries({ [nameOfCommand([command, ...args])]: { command, args } });
}

/** `claude mcp add …`, as pages of servers show it, and those of its kind; undefined for another line. */
function readAddCommand(words: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  const [client = '', mcp, add, ...rest] = words;
  if (!/^(?:claude|codex|gemini|qwen|amp)$/u.test(client) || mcp !== 'mcp' || add !== 'add') return undefined;
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  const plain: string[] = [];
  const end = rest.indexOf('--');
  const [options, behind] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end + 1)];
  for (let at = 0; at < options.length; at += 1) {
    const [option, given] = splitOnce(options[at] ?? '', '=');
    const value = (): string => given ?? options[(at += 1)] ?? '';
    if (/^(?:-e|--env)$/u.test(option)) {
      const [name, text = ''] = splitOnce(value(), '=');
      env[name] = text;
    } else if (/^(?:-H|--header)$/u.test(option)) {
      const [name, text = ''] = splitOnce(value(), ':');
      headers[name.trim()] = text.trim();
    } else if (/^(?:-s|--scope|-t|--transport)$/u.test(option)) value();
    else if (option === '--url') plain.push(value());
    else if (!option.startsWith('-')) plain.push(options[at] ?? '');
    // What stands behind the command is its own.
    if (plain.length > 1 && !/^https?:/iu.test(plain[1] ?? '')) {
      plain.push(...options.slice(at + 1));
      break;
    }
  }
  const [name, command, ...args] = [...plain, ...behind];
  if (name === undefined || command === undefined) return undefined;
  return { [name]: /^https?:/iu.test(command) ? { url: command, headers } : { command, args, env } };
}

function splitOnce(text: string, at: string): readonly [string, string?] {
  const place = text.indexOf(at);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + at.length)];
}

function readJson(text: string): FoundServers {
  const errors: ParseError[] = [];
  // Pages often show an entry without what stands around it.
  const whole = text.startsWith('{') ? text : `{${text}}`;
  const value: unknown = parse(whole, errors, { allowTrailingComma: true });
  const [wrong] = errors;
  if (wrong !== undefined) throw brokenJson(whole, wrong);
  if (!isRecord(value)) throw unknownSnippet();
  const mcp = value['mcp'];
  const outer = isRecord(mcp) ? mcp : value;
  for (const key of listKeys) {
    const list = outer[key];
    if (isRecord(list)) return readEntries(list);
  }
  if (typeof outer['command'] === 'string' || urlOf(outer) !== undefined) {
    const name = typeof outer['name'] === 'string' ? outer['name'] : nameOfEntry(outer);
    return readEntries({ [name]: outer });
  }
  return readEntries(outer);
}

/** Servers by name, as a file of any client lists them; `fill` fills in what their place knows. Pure. */
export function readEntries(
  entries: Readonly<Record<string, unknown>>,
  fill = (text: string): string => text,
): FoundServers {
  const servers: FoundServer[] = [];
  const problems: string[] = [];
  for (const [given, value] of Object.entries(entries)) {
    const name = toServerName(given);
    const config = isRecord(value) ? toConfig(fillAll(value, fill)) : 'it is no object';
    if (typeof config === 'string') problems.push(`${inertLine(given, 60)} was left out: ${config}.`);
    else servers.push({ name, config });
  }
  return { servers, problems };
}

/** All its texts, with what the place where it is named fills in. */
function fillAll(
  value: Readonly<Record<string, unknown>>,
  fill: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const filled = (each: unknown): unknown => {
    if (typeof each === 'string') return fill(each);
    if (Array.isArray(each)) return each.map(filled);
    return isRecord(each) ? fillAll(each, fill) : each;
  };
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each)]));
}

/** The config of a server, or why it can't be had, as the end of a sentence. */
function toConfig(value: Readonly<Record<string, unknown>>): McpServerConfig | string {
  const { type = value['transport'], command, args, env, cwd, headers, disabled, enabled, timeoutMs } = value;
  const { oauth, sandbox, sandboxEnabled = sandbox } = value;
  if (type === 'sse') return 'it speaks the old SSE transport, which Pincer does not';
  const client = toClient(oauth);
  if (typeof client === 'string') return client;
  const url = urlOf(value);
  const said = {
    ...(url === undefined
      ? // Zed keeps the program with its arguments in one object.
        {
          ...toProgram(
            isRecord(command) ? command : { command, args, env: env ?? value['environment'], cwd },
          ),
          ...(sandboxEnabled === true ? { sandbox: true } : {}),
        }
      : { url, headers: toValues(headers), oauth: client }),
    ...(disabled === true || enabled === false ? { enabled: false } : {}),
    timeoutMs,
  };
  const known = Object.fromEntries(Object.entries(said).filter(([, each]) => each !== undefined));
  const unknown = isOfShell(known) ? undefined : findPlaceholder(known);
  if (unknown !== undefined) return `nobody here fills in ${inertLine(unknown, 60)}: write its value`;
  if (value['envFile'] !== undefined) return 'its envFile is not read: write its variables into env';
  const parsed = mcpSchema.shape.servers.safeParse({ server: known });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.slice(1).join('.') ?? 'it'}: ${issue?.message ?? 'is not valid'}`;
  }
  return parsed.data?.['server'] ?? 'it names neither a program nor an address';
}

/**
 * The client of a sign-in, or why it can't be had. Other clients keep the port of the browser's way back there, too. Threat: a secret of the
 * user that is named there is sent to whom the entry names.
 */
function toClient(oauth: unknown): Record<string, unknown> | string | undefined {
  const { clientId, clientSecret } = isRecord(oauth) ? oauth : {};
  if (clientId === undefined) return undefined;
  if (clientSecret === undefined) return { clientId };
  const secret = toValue(clientSecret);
  return isRecord(secret)
    ? { clientId, clientSecret: secret }
    : 'its oauth.clientSecret is neither ${input:…} nor ${env:…}';
}

function toProgram({
  path,
  command = path,
  args,
  env,
  cwd,
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // OpenCode has one list of words.
  const [first, ...rest] = Array.isArray(command) ? (command as unknown[]) : [command];
  const words = Array.isArray(args) ? [...rest, ...(args as unknown[])] : rest.length > 0 ? rest : args;
  const folder = inFolder(cwd);
  return {
    command: inFolder(first),
    args: Array.isArray(words) ? words.map(inFolder) : words,
    env: toValues(env),
    cwd: folder === '.' ? undefined : folder,
  };
}

/** A server without a `cwd` starts in the folder that is open. */
function inFolder(value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/\$\{workspaceFolder\}|\$\{workspaceRoot\}/gu, '.')
    : value;
}

/** A shell fills in what it is given. */
function isOfShell({ command, args }: Readonly<Record<string, unknown>>): boolean {
  const takesLine = Array.isArray(args) && args.some((arg) => /^-[a-z]*c$/u.test(String(arg)));
  return takesLine && /(?:^|[\\/])(?:ba|z|da|fi)?sh$/u.test(String(command));
}

/** A placeholder that would stay as it is. */
function findPlaceholder(value: unknown): string | undefined {
  if (typeof value === 'string') return /\$\{[^}]*\}/u.exec(value)?.[0];
  return isRecord(value) || Array.isArray(value)
    ? Object.values(value)
        .map(findPlaceholder)
        .find((each) => each !== undefined)
    : undefined;
}

function urlOf({ url, serverUrl, httpUrl }: Readonly<Record<string, unknown>>): string | undefined {
  return [url, serverUrl, httpUrl].find((each) => typeof each === 'string');
}

/** `${env:NAME}`, `${NAME}` and `$NAME` are variables of the environment, `${input:id}` is what VS Code asks for: a secret here. */
function toValues(values: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(values)) return undefined;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toValue(value)]));
}

const inputPrefix = 'mcp.';

/** The same server with its `${input:…}` as secrets of its own: another server that asks for one of that name gets nothing of it. Pure. */
export function withOwnSecrets({ name, config }: FoundServer): McpServerConfig {
  const ownValue = <V>(value: V): V | { secret: string } => {
    const secret = isRecord(value) ? value['secret'] : undefined;
    const isInput = typeof secret === 'string' && secret.startsWith(inputPrefix);
    return isInput
      ? { ...value, secret: `${inputPrefix}${name}.${secret.slice(inputPrefix.length)}` }
      : value;
  };
  const own = <V>(values: Readonly<Record<string, V>>): Record<string, V | { secret: string }> =>
    Object.fromEntries(Object.entries(values).map(([variable, value]) => [variable, ownValue(value)]));
  if ('url' in config) {
    const { headers, oauth } = config;
    return {
      ...config,
      ...(headers === undefined ? {} : { headers: own(headers) }),
      ...(oauth?.clientSecret === undefined
        ? {}
        : { oauth: { ...oauth, clientSecret: ownValue(oauth.clientSecret) } }),
    };
  }
  return config.env === undefined ? config : { ...config, env: own(config.env) };
}

/** The secrets that a server is given, by the variable or header that holds each. Pure. */
export function secretsOf(
  config: McpServerConfig,
): readonly { readonly variable: string; readonly secret: string }[] {
  const values = Object.entries(('url' in config ? config.headers : config.env) ?? {});
  const client = 'url' in config ? config.oauth?.clientSecret : undefined;
  return [...values, ...(client === undefined ? [] : [['oauth.clientSecret', client] as const])].flatMap(
    ([variable, value]) =>
      typeof value !== 'string' && 'secret' in value ? [{ variable, secret: value.secret }] : [],
  );
}

function toValue(value: unknown): unknown {
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : undefined;
  const [, said = '', input, braced, bare] =
    /^([^$]{0,200})\$(?:\{input:([^}]+)\}|\{(?:env:)?([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/u.exec(value) ?? [];
  const before = said === '' ? {} : { before: said };
  if (input !== undefined) return { secret: `${inputPrefix}${input}`, ...before };
  // A word with a dollar behind other words is text.
  const name = braced ?? (said === '' ? bare : undefined);
  if (name === undefined || isPlaceholder(name)) return inFolder(value);
  return { env: name, ...before };
}

/** `${workspaceFolder}` and its like are no variables of the environment. */
function isPlaceholder(name: string): boolean {
  return /^(?:workspaceFolder|workspaceRoot|userHome|file|cwd|pathSeparator)$/u.test(name);
}

function nameOfEntry(value: Readonly<Record<string, unknown>>): string {
  const url = urlOf(value);
  if (url !== undefined) return nameOfUrl(url);
  const { command, args } = value;
  const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])];
  return nameOfCommand(words.filter((each) => typeof each === 'string'));
}

function nameOfUrl(url: string): string {
  if (!URL.canParse(url)) return 'server';
  const labels = new URL(url).hostname.split('.').filter((label) => !['www', 'mcp', 'api'].includes(label));
  return toServerName(labels[0] ?? 'server');
}

/** What the first package or script is called: `@scope/server-files@1.0.0` is `files`. */
function nameOfCommand(words: readonly string[]): string {
  const starters = new Set([
    'npx',
    'bunx',
    'uvx',
    'pnpx',
    'pipx',
    'node',
    'python',
    'python3',
    'deno',
    'bun',
    'docker',
    'run',
    'exec',
    'dlx',
  ]);
  const word = words.find((each) => !each.startsWith('-') && !starters.has(each)) ?? words[0] ?? 'server';
  const last =
    word
      .replace(/(?<=.)@[^@/]*$/u, '')
      .split(/[\\/]/u)
      .at(-1) ?? word;
  const name = last.replace(/\.\w+$/u, '').replace(/^(?:mcp-)?(?:server-)?|(?:-mcp)?(?:-server)?$/giu, '');
  return toServerName(name === '' ? last : name);
}

/** A command line in words, with quotes and backslashes as shells read them; nothing is expanded. */
function splitLine(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gu) ?? [];
  return words.map((word) =>
    word.replace(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gu,
      (_all, double?: string, single?: string, escaped?: string) =>
        double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(["\\$`])/gu, '$1'),
    ),
  );
}

function brokenJson(text: string, { error, offset }: ParseError): PincerError {
  const before = text.slice(0, offset).split('\n');
  const place = `line ${String(before.length)}, column ${String((before.at(-1)?.length ?? 0) + 1)}`;
  return new PincerError(
    'mcp_snippet_unknown',
    `The JSON is broken at ${place}: ${wordsOf(printParseErrorCode(error))}.`,
    { hint: 'A bracket, comma or quote is missing there, or it was cut while it was copied.' },
  );
}

/** `CloseBraceExpected` as a person says it. */
function wordsOf(code: string): string {
  return code.replace(/(?!^)([A-Z])/gu, ' $1').toLowerCase();
}

function unknownSnippet(): PincerError {
  return new PincerError(
    'mcp_snippet_unknown',
    'This is not a command line, an address or a list of MCP servers.',
    {
      hint: 'Paste the JSON of another client, such as { "mcpServers": { … } }, a command, or an address with https://.',
    },
  );
}
