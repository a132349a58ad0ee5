import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasHiddenCharacters } from '../../base/text.ts';
import type { PluginEntry } from './agentFile.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import { pathText, type Report } from './report.ts';

/** Milliseconds at each extension point where the file says nothing (Dexto plugin specification, Runtime Execution). */
export const defaultTimeoutMs = 5_000;

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
export function toCustomEntry(
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
