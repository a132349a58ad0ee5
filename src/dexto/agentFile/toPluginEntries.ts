import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { PluginEntry } from './agentFile.ts';
import { editDistance } from '../../base/editDistance.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { checkPart, strictly } from './checkPart.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import {
  customPluginSchema,
  hookSchema,
  registryPluginSchema,
  runSchema,
  runShape,
} from './pluginSchemas.ts';
import { pathText, type Report } from './report.ts';
import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasHiddenCharacters } from '../../base/text.ts';

/** What a built-in plugin brings for its part of the agent file. */
export interface BuiltInRule {
  /** Its own options, strict; may know the keys that every plugin has, too. */
  readonly schema: z.ZodType;
  /** What holds where the file is silent. Without a priority the file has to say one. */
  readonly defaults: { readonly blocking: boolean; readonly priority?: number };
}

export type BuiltInRules = Readonly<Record<string, BuiltInRule>>;

/**
 * The plugins of a file, in its order, in the forms of all of upstream's versions: `plugins` with built-ins by key and `custom` (Dexto plugin specification),
 * `plugins.registry`, and `hooks`; both may be lists of `{ type }`. What is wrong is reported.
 */
export function toPluginEntries(
  said: { readonly plugins: unknown; readonly hooks: unknown },
  builtIns: BuiltInRules,
  report: Report,
): readonly PluginEntry[] {
  const reader = createReader(builtIns, report);
  const first = reader.readPart(said.plugins, 'plugins', 0);
  const found = [...first, ...reader.readPart(said.hooks, 'hooks', afterAll(first))];
  checkUnique(found, report);
  return found.map(({ entry }) => entry);
}

/** A slip is near a name that there is; anything else is a plugin of the user's own, which lacks its module. */
function builtInHint(path: KeyPath, name: string, known: readonly string[]): string {
  const [nearest = ''] = nearestFirst(name, known);
  const isSlip = editDistance(name.toLowerCase(), nearest.toLowerCase()) <= 3;
  const module = `module: "\${{dexto.agent_dir}}/plugins/${name}.ts"`;
  const own =
    path.at(-1) === 'type'
      ? `Add its file beside type: ${module}.`
      : `Put a plugin of your own into the list custom: { name: ${name}, ${module}, priority: 100 }.`;
  return isSlip ? `Did you mean ${nearest}? ${own}` : `${own} Built in are ${known.join(', ')}.`;
}

function afterAll(plugins: readonly PlacedPlugin[]): number {
  return Math.max(-1, ...plugins.map(({ entry }) => entry.priority)) + 1;
}

function createReader(builtIns: BuiltInRules, report: Report) {
  /** `plugins`, or `hooks` in the same form. */
  const readGroup = (group: unknown, path: KeyPath): readonly PlacedPlugin[] => {
    if (group == null) return [];
    if (!isRecord(group)) {
      report.add({
        level: 'error',
        code: 'agent_file_invalid',
        path,
        message: `${pathText(path)}: expected plugins by name, or a list of them.`,
        hint: `Write ${pathText(path)}: { contentPolicy: {} } for a built-in plugin, or a list with { type, module } for each of your own.`,
      });
      return [];
    }
    return Object.entries(group).flatMap(([key, value]) => {
      const at = [...path, key];
      if (key === 'custom') return readList(value, at, readCustom);
      if (key === 'registry') return readList(value, at, readRegistered);
      if (Object.hasOwn(builtIns, key)) return readBuiltIn(key, value ?? {}, at);
      unknownPlugin(at, key, [...Object.keys(builtIns), 'custom', 'registry']);
      return [];
    });
  };

  const readList = (
    value: unknown,
    path: KeyPath,
    readOne: (value: unknown, path: KeyPath) => readonly PlacedPlugin[],
  ): readonly PlacedPlugin[] => {
    if (value == null) return [];
    if (Array.isArray(value)) return value.flatMap((each: unknown, index) => readOne(each, [...path, index]));
    invalid(
      path,
      `${pathText(path)}: expected a list of plugins.`,
      `Write ${pathText(path)}: with "- name: my-plugin" and its module and priority below.`,
    );
    return [];
  };

  const readCustom = (value: unknown, path: KeyPath): readonly PlacedPlugin[] => {
    const said = checkPart(customPluginSchema, value, path, report, strictly);
    return said === undefined ? [] : place(path, toCustomEntry(said, path, report));
  };

  const readBuiltIn = (name: string, value: unknown, path: KeyPath): readonly PlacedPlugin[] => {
    const rule = builtIns[name];
    if (rule === undefined || !isRecord(value)) {
      invalid(
        path,
        `${pathText(path)}: expected the settings of this plugin.`,
        `Write ${name}: {} for its defaults, or its options by name.`,
      );
      return [];
    }
    const isRun = (key: string): boolean => Object.hasOwn(runShape, key);
    const keys = Object.entries(value);
    const run = checkPart(
      runSchema,
      Object.fromEntries(keys.filter(([key]) => isRun(key))),
      path,
      report,
      strictly,
    );
    const options = Object.fromEntries(keys.filter(([key]) => !isRun(key)));
    const config = checkPart(rule.schema, options, path, report, strictly);
    if (run === undefined || config === undefined) return [];
    const priority = run.priority ?? rule.defaults.priority;
    if (priority === undefined) {
      invalid(
        [...path, 'priority'],
        `${pathText([...path, 'priority'])} is missing.`,
        'Add the key, such as priority: 100; lower runs first.',
      );
      return [];
    }
    return place(path, {
      kind: 'builtin',
      name,
      enabled: run.enabled ?? true,
      blocking: run.blocking ?? rule.defaults.blocking,
      priority,
      timeoutMs: run.timeout ?? defaultTimeoutMs,
      config: isRecord(config) ? config : {},
      dependsOn: run.dependsOn ?? [],
    });
  };

  const readRegistered = (value: unknown, path: KeyPath): readonly PlacedPlugin[] => {
    const said = checkPart(registryPluginSchema, value, path, report, strictly);
    if (said === undefined) return [];
    const { type, module, config, version, ...run } = said;
    if (module !== undefined)
      return place(path, toCustomEntry({ ...said, name: type, module }, path, report));
    const name = builtInOf(type, path);
    if (name === undefined) return [];
    const set = Object.fromEntries(Object.entries(run).filter(([, each]) => each !== undefined));
    if (version !== undefined)
      invalid(
        [...path, 'version'],
        `${pathText([...path, 'version'])}: a built-in plugin has no version.`,
        'Remove version: it comes with the program.',
      );
    return readBuiltIn(name, { ...config, ...set }, path);
  };

  /** A list in the order of the file, or plugins by name. */
  const readPart = (said: unknown, key: string, from: number): readonly PlacedPlugin[] =>
    Array.isArray(said) ? readOrdered(said, key, from) : readGroup(said, [key]);

  const readOrdered = (list: readonly unknown[], key: string, from: number): readonly PlacedPlugin[] =>
    list.flatMap((value, index) => {
      const path = [key, index];
      // As the other form has its own, in the same list.
      if (isRecord(value) && value['type'] === undefined && value['name'] !== undefined)
        return readCustom({ priority: from + index, ...value }, path);
      const said = checkPart(hookSchema, value, path, report, strictly);
      if (said === undefined) return [];
      const { type, module, enabled, ...settings } = said;
      // Every hook may block, and their order is that of the file.
      const run = { blocking: true, priority: from + index, ...(enabled === undefined ? {} : { enabled }) };
      if (module !== undefined)
        return place(path, toCustomEntry({ name: type, module, ...run, config: settings }, path, report));
      const name = builtInOf(type, path);
      return name === undefined ? [] : readBuiltIn(name, { ...run, ...settings }, path);
    });

  /** `content-policy` is what later versions call `contentPolicy`. */
  const builtInOf = (type: string, path: KeyPath): string | undefined => {
    const name = type.replace(/-+([a-z])/gu, (_, letter: string) => letter.toUpperCase());
    if (Object.hasOwn(builtIns, name)) return name;
    unknownPlugin([...path, 'type'], type, Object.keys(builtIns));
    return undefined;
  };

  const unknownPlugin = (path: KeyPath, name: string, known: readonly string[]): void => {
    report.add({
      level: 'error',
      code: 'agent_file_plugin_unknown',
      path,
      at: 'key',
      message: `There is no built-in plugin "${name}".`,
      hint: builtInHint(path, name, known),
    });
  };

  const invalid = (path: KeyPath, message: string, hint: string): void => {
    report.add({ level: 'error', code: 'agent_file_invalid', path, message, hint });
  };

  const place = (path: KeyPath, entry: Omit<PluginEntry, 'line'> | undefined): readonly PlacedPlugin[] =>
    entry === undefined ? [] : [{ path, entry: { ...entry, line: report.lineOf(path) } }];

  return { readPart };
}

/** A plugin and where it stands in the file. */
interface PlacedPlugin {
  readonly path: KeyPath;
  readonly entry: PluginEntry;
}

/** Names are unique; so are the priorities of what is switched on, over built-in and custom plugins (Dexto plugin specification, Priority System). */
function checkUnique(plugins: readonly PlacedPlugin[], report: Report): void {
  for (const [first, second] of clashes(plugins, ({ name }) => name)) {
    report.add({
      level: 'error',
      code: 'agent_file_plugin_twice',
      path: second.path,
      at: 'key',
      message: `Two plugins are called "${second.entry.name}" (lines ${first.entry.line} and ${second.entry.line}).`,
      hint: 'Give one of them another name.',
    });
  }
  const enabled = plugins.filter(({ entry }) => entry.enabled);
  const free = Math.max(0, ...plugins.map(({ entry }) => entry.priority)) + 1;
  for (const [first, second] of clashes(enabled, ({ priority }) => priority)) {
    report.add({
      level: 'error',
      code: 'agent_file_priority_twice',
      path: [...second.path, 'priority'],
      message:
        `${first.entry.name} (line ${first.entry.line}) and ${second.entry.name} (line ${second.entry.line}) ` +
        `both have priority ${second.entry.priority}.`,
      hint: `Give each plugin a priority of its own, such as ${free}; lower runs first.`,
    });
  }
}

/** Each plugin with the first one before it that has the same. */
function clashes(
  plugins: readonly PlacedPlugin[],
  valueOf: (entry: PluginEntry) => string | number,
): readonly (readonly [PlacedPlugin, PlacedPlugin])[] {
  const firsts = new Map<string | number, PlacedPlugin>();
  return plugins.flatMap((plugin): readonly (readonly [PlacedPlugin, PlacedPlugin])[] => {
    const value = valueOf(plugin.entry);
    const first = firsts.get(value);
    if (first !== undefined) return [[first, plugin]];
    firsts.set(value, plugin);
    return [];
  });
}

/** Milliseconds at each extension point where the file says nothing (Dexto plugin specification, Runtime Execution). */
const defaultTimeoutMs = 5_000;

/** What the file says about a plugin with a module of its own. */
interface CustomPlugin {
  readonly name: string;
  readonly module: string;
  readonly enabled?: boolean | undefined;
  readonly blocking?: boolean | undefined;
  readonly priority: number;
  readonly timeout?: number | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  readonly version?: string | undefined;
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The plugin with every default; undefined where its name or its module is wrong, which is reported. */
function toCustomEntry(
  said: CustomPlugin,
  path: KeyPath,
  report: Report,
): Omit<PluginEntry, 'line'> | undefined {
  const module = checkModule(said.module, [...path, 'module'], report);
  if (!checkName(said.name, path, report) || module === undefined) return undefined;
  return {
    kind: 'custom',
    name: said.name,
    module,
    enabled: said.enabled ?? true,
    blocking: said.blocking ?? true,
    priority: said.priority,
    timeoutMs: said.timeout ?? defaultTimeoutMs,
    config: said.config ?? {},
    dependsOn: said.dependsOn ?? [],
    ...(said.version === undefined ? {} : { version: said.version }),
  };
}

/** What is left of a name without what can't be seen in it. */
function plainName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/gu, '');
  return plain === '' ? 'my-plugin' : plain;
}

/** People read the name before they agree to the plugin. */
function checkName(name: string, path: KeyPath, report: Report): boolean {
  if (name.trim() === name && !hasHiddenCharacters(name) && !/[\t\r\n]/u.test(name)) return true;
  const at = [...path, 'name'];
  report.add({
    level: 'error',
    code: 'agent_file_invalid',
    path: at,
    message: `${pathText(at)} has white space around it or characters that can't be seen.`,
    hint: `Write letters, digits and hyphens, such as name: ${plainName(name)}.`,
  });
  return false;
}

/**
 * Where the code of a plugin lies: an absolute path, a `file:` address that becomes one, or the name of an npm package. A relative path is
 * refused: nobody would know what it starts from (Dexto plugin specification, Path Resolution Rules). Undefined where it is wrong, which is reported.
 */
function checkModule(module: string, at: KeyPath, report: Report): string | undefined {
  // Threat: looking at a path of another machine tells that machine who the user is, before anybody was asked.
  if (/^[\\/]{2}/u.test(module)) {
    report.add({
      level: 'error',
      code: 'agent_file_module_remote',
      path: at,
      message: `${pathText(at)}: "${report.textAt(at)}" is a path of another machine.`,
      hint: 'Copy the plugin to this machine, and write "${{dexto.agent_dir}}/plugins/name.ts".',
    });
    return undefined;
  }
  if (/^file:/iu.test(module)) {
    const path = pathOfUrl(module);
    if (path !== undefined) return path;
  } else if (isAbsolute(module)) {
    return normalize(module);
  } else if (isPackageName(module)) {
    return module;
  }
  // An unknown variable has been reported already, with the one that was meant.
  if (module.includes('{{dexto.')) return undefined;
  const said = report.textAt(at);
  const inside = said.replace(/^(?:file:\/{0,3})?(?:\.\.?[\\/]|~[\\/]|[\\/])*/iu, '').replaceAll('\\', '/');
  report.add({
    level: 'error',
    code: 'agent_file_module_relative',
    path: at,
    message: `${pathText(at)}: "${said}" is not an absolute path.`,
    hint: `Write "\${{dexto.agent_dir}}/${inside === '' ? 'plugins/name.ts' : inside}", an absolute path, or the name of an npm package.`,
  });
  return undefined;
}

function pathOfUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    // It names another host, or is no address at all.
    return undefined;
  }
}

const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[\w.~-]+)*$/u;

/** `name`, `@scope/name`, each with a path inside. Without a scope, what ends like a file is one: `plugins/audit.ts` (Dexto plugin specification). */
function isPackageName(module: string): boolean {
  if (!packageName.test(module) || module.split('/').some((part) => /^\.{1,2}$/u.test(part))) return false;
  return module.startsWith('@') || !/\.[cm]?[jt]sx?$/u.test(module);
}
