import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { PluginEntry } from './agentFile.ts';
import { checkPart, strictly, unknownHint } from './checkPart.ts';
import { checkUnique, type PlacedPlugin } from './checkUnique.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import {
  customPluginSchema,
  hookSchema,
  registryPluginSchema,
  runSchema,
  runShape,
} from './pluginSchemas.ts';
import { pathText, type Report } from './report.ts';
import { defaultTimeoutMs, toCustomEntry } from './toCustomEntry.ts';

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
 * `plugins.registry`, and `hooks`. What is wrong is reported.
 */
export function toPluginEntries(
  said: { readonly plugins: unknown; readonly hooks: unknown },
  builtIns: BuiltInRules,
  report: Report,
): readonly PluginEntry[] {
  const reader = createReader(builtIns, report);
  const first = [...reader.readGroup(said.plugins, ['plugins'])];
  const found = Array.isArray(said.hooks)
    ? [...first, ...reader.readHooks(said.hooks, afterAll(first))]
    : [...first, ...reader.readGroup(said.hooks, ['hooks'])];
  checkUnique(found, report);
  return found.map(({ entry }) => entry);
}

function afterAll(plugins: readonly PlacedPlugin[]): number {
  return Math.max(-1, ...plugins.map(({ entry }) => entry.priority)) + 1;
}

function createReader(builtIns: BuiltInRules, report: Report) {
  /** `plugins`, or `hooks` in the same form. */
  const readGroup = (group: unknown, path: KeyPath): readonly PlacedPlugin[] => {
    if (group == null) return [];
    if (!isRecord(group)) {
      invalid(path, `${pathText(path)}: expected plugins by name and a list "custom".`);
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
    invalid(path, `${pathText(path)}: expected a list.`);
    return [];
  };

  const readCustom = (value: unknown, path: KeyPath): readonly PlacedPlugin[] => {
    const said = checkPart(customPluginSchema, value, path, report, strictly);
    return said === undefined ? [] : place(path, toCustomEntry(said, path, report));
  };

  const readBuiltIn = (name: string, value: unknown, path: KeyPath): readonly PlacedPlugin[] => {
    const rule = builtIns[name];
    if (rule === undefined || !isRecord(value)) {
      invalid(path, `${pathText(path)}: expected the settings of this plugin.`);
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
      invalid([...path, 'priority'], `${pathText([...path, 'priority'])} is missing.`);
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
      invalid([...path, 'version'], `${pathText(path)}: a built-in plugin has no version.`);
    return readBuiltIn(name, { ...config, ...set }, path);
  };

  const readHooks = (hooks: readonly unknown[], from: number): readonly PlacedPlugin[] =>
    hooks.flatMap((value, index) => {
      const path = ['hooks', index];
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
      hint: `${unknownHint(name, known)} A plugin of your own goes to plugins.custom, with its module.`,
    });
  };

  const invalid = (path: KeyPath, message: string): void => {
    report.add({ level: 'error', code: 'agent_file_invalid', path, message, hint: 'Correct this value.' });
  };

  const place = (path: KeyPath, entry: Omit<PluginEntry, 'line'> | undefined): readonly PlacedPlugin[] =>
    entry === undefined ? [] : [{ path, entry: { ...entry, line: report.lineOf(path) } }];

  return { readGroup, readHooks };
}
