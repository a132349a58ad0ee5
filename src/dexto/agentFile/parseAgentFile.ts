import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { AgentFile, AgentFileLlm, PromptContributor } from './agentFile.ts';
import { checkPart, leniently, strictly, type CheckLevels, unknownHint } from './checkPart.ts';
import { createAgentPathCheck, type CheckPath } from './createAgentPathCheck.ts';
import { type SectionKey, guardMeantBy, idleKeys, sectionKeys } from './knownKeys.ts';
import { parseAgentYaml, type KeyPath } from './parseAgentYaml.ts';
import {
  internalToolsSchema,
  llmSchema,
  mcpServerSchema,
  sessionsSchema,
  systemPromptSchema,
  toolConfirmationSchema,
} from './partSchemas.ts';
import { createReport, pathText, type Report } from './report.ts';
import { storageSchema } from './storageSchema.ts';
import { toPluginEntries, type BuiltInRules } from './toPluginEntries.ts';
import { passwordsOf, toStorage } from './toStorage.ts';
import { childrenOf, isForOtherType, partsOf } from './jsonSchemaParts.ts';
import { expandStrings, type ExpandInput, type ExpandRules } from './expandStrings.ts';
import { valueAt } from './valueAt.ts';

/** The text of an agent file, and what it can refer to. */
export interface AgentText {
  readonly text: string;
  /** Absolute path of the file. */
  readonly path: string;
  /** Its folder, links resolved. */
  readonly dir: string;
  readonly origin: AgentFile['origin'];
  /** The workspace folders, as they are named and with links resolved. */
  readonly roots: readonly string[];
  /** What `${{dexto.project_dir}}` stands for. */
  readonly projectDir: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By their key in the file. */
  readonly builtIns: BuiltInRules;
}

export interface AgentFileReading {
  /** Undefined where anything in the file is an error, or where it can't be read. */
  readonly file?: AgentFile;
  /** Each with the file, and where it has one the line and the column. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks the text of an agent file; gives all that counts, with every default. Pure. */
export function parseAgentFile(input: AgentText): AgentFileReading {
  const parsed = parseAgentYaml(input.text);
  if (!parsed.ok) {
    const diagnostics = parsed.problems.map(({ place, ...problem }): Diagnostic => ({
      level: 'error',
      ...problem,
      source: input.path,
      ...place,
    }));
    return { diagnostics };
  }
  const report = createReport(input.path, parsed.places, parsed.value);
  const root = parsed.value ?? {};
  if (!isRecord(root)) {
    const message = 'The agent file holds no keys.';
    report.add({
      level: 'error',
      code: 'agent_file_invalid',
      path: [],
      message,
      hint: 'Write keys with values, such as plugins: { contentPolicy: {} }.',
    });
    return { diagnostics: report.diagnostics() };
  }
  const sections = readSections(root, { ...input, agentDir: input.dir }, report);
  const file = toAgentFile(sections, input, report);
  return { ...(report.hasErrors() ? {} : { file }), diagnostics: report.diagnostics() };
}

function toAgentFile({ values, secrets }: Sections, input: AgentText, report: Report): AgentFile {
  const check = <S extends z.ZodType>(key: SectionKey, schema: S, levels: CheckLevels) => {
    if (values[key] === undefined) return undefined;
    const said = checkPart(schema, values[key], [key], report, levels);
    if (said !== undefined) reportIdleKeys(schema, said, [key], report);
    return said;
  };
  const checkPath = createAgentPathCheck(input, report);

  const llm = check('llm', llmSchema, leniently);
  const prompt = check('systemPrompt', systemPromptSchema, leniently);
  const storage = toStorage(check('storage', storageSchema, strictly) ?? {}, checkPath, report);
  const toolConfirmation = toConfirmation(
    check('toolConfirmation', toolConfirmationSchema, strictly),
    check('permissions', toolConfirmationSchema, strictly),
    report,
  );
  const internalTools = check('internalTools', internalToolsSchema, strictly);
  const sessions = check('sessions', sessionsSchema, leniently);
  return {
    path: input.path,
    dir: input.dir,
    origin: input.origin,
    ...(llm === undefined ? {} : { llm: toLlm(llm, report) }),
    systemPrompt: prompt === undefined ? [] : toSystemPrompt(prompt, checkPath, report),
    storage,
    ...(toolConfirmation === undefined ? {} : { toolConfirmation }),
    ...(internalTools === undefined ? {} : { internalTools: internalTools === false ? [] : internalTools }),
    ...(sessions === undefined ? {} : { sessions: dropUndefined(sessions) }),
    mcpServers: toMcpServers(values.mcpServers, report),
    plugins: toPluginEntries({ plugins: values.plugins, hooks: values.hooks }, input.builtIns, report),
    lines: Object.fromEntries(Object.keys(values).map((key) => [key, report.lineOf([key])])),
    secrets: [...new Set([...secrets, ...literalKey(llm?.apiKey), ...passwordsOf(storage)])],
  };
}

function toLlm(said: z.output<typeof llmSchema>, report: Report): AgentFileLlm {
  const { provider, model, apiKey, baseURL, maxIterations, maxInputTokens, maxOutputTokens, temperature } =
    said;
  return {
    provider,
    model,
    ...dropUndefined({ apiKey, baseURL, maxIterations, maxInputTokens, maxOutputTokens, temperature }),
    line: report.lineOf(['llm']),
  };
}

/** Later versions of upstream call it `permissions`. */
function toConfirmation(
  said: z.output<typeof toolConfirmationSchema> | undefined,
  permissions: z.output<typeof toolConfirmationSchema> | undefined,
  report: Report,
): AgentFile['toolConfirmation'] {
  if (said !== undefined && permissions !== undefined)
    report.add({
      level: 'error',
      code: 'agent_file_invalid',
      path: ['permissions'],
      at: 'key',
      message: 'permissions and toolConfirmation mean the same.',
      hint: 'Move what permissions says into toolConfirmation, and remove permissions.',
    });
  const holds = said ?? permissions;
  if (holds === undefined) return undefined;
  const { mode, timeout, toolPolicies } = holds;
  return {
    ...dropUndefined({ mode, timeout }),
    alwaysAllow: toolPolicies?.alwaysAllow ?? [],
    alwaysDeny: toolPolicies?.alwaysDeny ?? [],
  };
}

/** A key that stands in the file itself; a variable that is not set is none. */
function literalKey(apiKey: string | undefined): readonly string[] {
  return apiKey === undefined || apiKey.startsWith('$') ? [] : [apiKey];
}

/**
 * The MCP servers of a file that are well described and switched on. What is wrong with one is a warning and stops nobody: its tools are
 * missing, and no guard is.
 */
function toMcpServers(said: unknown, report: Report): AgentFile['mcpServers'] {
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

/** The texts of the system prompt that are switched on, lower priority first. */
function toSystemPrompt(
  said: z.output<typeof systemPromptSchema>,
  checkPath: CheckPath,
  report: Report,
): readonly PromptContributor[] {
  if (typeof said === 'string')
    return said.trim() === '' ? [] : [{ id: 'systemPrompt', type: 'static', priority: 0, content: said }];
  const contributors = said.contributors.flatMap((each, index): readonly PromptContributor[] => {
    const { id, priority, type } = each;
    const path = ['systemPrompt', 'contributors', index];
    if (each.enabled === false) return [];
    switch (type) {
      case 'static':
        return [{ id, type, priority, content: each.content }];
      case 'dynamic':
        return [{ id, type, priority, source: each.source }];
      case 'file': {
        const one = each.file === undefined ? undefined : checkPath(each.file, [...path, 'file']);
        const files = (each.files ?? []).flatMap((file, at) => checkPath(file, [...path, 'files', at]) ?? []);
        if (each.file === undefined && each.files === undefined)
          report.add({
            level: 'error',
            code: 'agent_file_invalid',
            path,
            message: `${pathText(path)} has neither file nor files.`,
            hint: 'Add files: [./README.md].',
          });
        return [{ id, type, priority, files: one === undefined ? files : [one, ...files] }];
      }
      case 'memory':
        report.add({
          level: 'info',
          code: 'agent_file_key_idle',
          path,
          message: `The text "${id}" of the system prompt has no effect here: memories are found by search.`,
        });
        return [];
    }
  });
  return contributors.sort((a, b) => a.priority - b.priority);
}

/** How the description of a key begins that upstream knows and that changes nothing here. */
const idle = /^No effect(?: here)?(?:: (.*))?\.$/su;

/** Names the keys of a part that are taken and have no effect: those whose description says so. */
function reportIdleKeys(schema: z.ZodType, value: unknown, path: KeyPath, report: Report): void {
  const walk = (parts: ReturnType<typeof partsOf>, each: unknown, at: KeyPath): void => {
    if (Array.isArray(each)) {
      const items = parts.flatMap((part) => childrenOf(part, 0));
      each.forEach((item: unknown, index) => walk(items, item, [...at, index]));
      return;
    }
    if (!isRecord(each)) return;
    const own = parts.filter((part) => !isForOtherType(part, each));
    for (const [key, inner] of Object.entries(each)) {
      const children = own.flatMap((part) => childrenOf(part, key));
      const found = children
        .map(({ description }) => idle.exec(String(description)))
        .find((match) => match !== null);
      if (found === undefined) walk(children, inner, [...at, key]);
      else reportIdle([...at, key], found[1]);
    }
  };
  const reportIdle = (at: KeyPath, why: string | undefined): void => {
    report.add({
      level: 'info',
      code: 'agent_file_key_idle',
      path: at,
      at: 'key',
      message: `${pathText(at)} has no effect here${why === undefined ? '' : `: ${why}`}.`,
    });
  };
  walk(partsOf(schema), value, path);
}

/** An object whose keys may be undefined, as one that has them or not. */
type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the keys whose value is undefined. */
function dropUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}

type Root = Readonly<Record<string, unknown>>;

/** The parts of a file that count, with variables put in. */
interface Sections {
  /** Undefined where the file says nothing about it. */
  readonly values: Readonly<Partial<Record<SectionKey, unknown>>>;
  readonly secrets: AgentFile['secrets'];
}

/** Takes the parts out of a file; every other key is named. */
function readSections(root: Root, input: ExpandInput, report: Report): Sections {
  reportOtherKeys(root, report);
  const rules = rulesFor(root);
  const read = sectionKeys.flatMap((key) => {
    const said = root[key];
    // A key whose value is commented out says nothing; but who writes internalTools means to take some away.
    const isSilent = said === undefined || (said === null && key !== 'internalTools');
    return isSilent ? [] : [{ key, ...expandStrings(said, [key], input, rules, report) }];
  });
  return {
    values: Object.fromEntries(read.map(({ key, value }) => [key, value])),
    secrets: [...new Set(read.flatMap(({ secrets }) => secrets))],
  };
}

function rulesFor(root: Root): ExpandRules {
  return {
    isProse: (path) =>
      (path[0] === 'systemPrompt' && (path.length === 1 || path.at(-1) === 'content')) ||
      isNamedValue(root, path),
    isPlace,
    isIdle: (path) => {
      const [part, key] = path;
      if (part === 'mcpServers') return true;
      if (part === 'llm') return key === 'apiKey' || key === 'baseURL';
      if (part !== 'plugins' && part !== 'hooks') return false;
      // plugins.contentPolicy, hooks[0], plugins.custom[0]
      const plugin = valueAt(root, path.slice(0, typeof path[2] === 'number' ? 3 : 2));
      return isRecord(plugin) && plugin['enabled'] === false;
    },
  };
}

/**
 * A value of a server that is a variable and nothing else: it is read when the server starts, so that what was agreed to is its name and
 * stays the same when the key is another one.
 */
function isNamedValue(root: Root, path: KeyPath): boolean {
  const [part, , key] = path;
  if (part !== 'mcpServers' || path.length !== 4 || (key !== 'env' && key !== 'headers')) return false;
  const value = valueAt(root, path);
  return typeof value === 'string' && /^\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)$/u.test(value);
}

/** Modules of plugins, files of storage, files of the system prompt: with $HOME in one, every path of the user would be a secret. */
function isPlace(path: KeyPath): boolean {
  const [part, list] = path;
  const key = path.at(-1);
  switch (part) {
    case 'plugins':
      if (typeof list === 'number') return key === 'module' && path.length === 3;
      return key === 'module' && path.length === 4 && (list === 'custom' || list === 'registry');
    case 'hooks':
      return key === 'module' && path.length === 3;
    case 'storage':
      return path.length === 3 && (key === 'path' || key === 'storePath');
    case 'systemPrompt':
      return path.at(-2) === 'files';
    default:
      return false;
  }
}

function reportOtherKeys(root: Root, report: Report): void {
  const silent: readonly string[] = [...sectionKeys, '$schema'];
  for (const key of Object.keys(root).filter((each) => !silent.includes(each))) {
    const guard = guardMeantBy(key);
    if (Object.hasOwn(idleKeys, key)) {
      const instead = idleKeys[key] ?? '';
      report.add({
        level: 'info',
        code: 'agent_file_key_idle',
        path: [key],
        at: 'key',
        message: `${key} has no effect here.`,
        hint: instead === '' ? 'It may stay for other programs that read this file.' : instead,
      });
    } else {
      report.add({
        level: guard === undefined ? 'warn' : 'error',
        code: 'agent_file_key_unknown',
        path: [key],
        at: 'key',
        message: `${key} is no key of an agent file.`,
        hint: guard === undefined ? unknownHint(key, sectionKeys) : `Did you mean ${guard}?`,
      });
    }
  }
}
