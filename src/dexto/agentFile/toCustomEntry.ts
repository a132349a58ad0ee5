import { hasHiddenCharacters } from '../../base/text.ts';
import type { PluginEntry } from './agentFile.ts';
import { checkModule } from './checkModule.ts';
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
