import { isAbsolute, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeyPath } from './parseAgentYaml.ts';
import { pathText, type Report } from './report.ts';

/**
 * Where the code of a plugin lies: an absolute path, a `file:` address that becomes one, or the name of an npm package. A relative path is
 * refused: nobody would know what it starts from (Dexto plugin specification, Path Resolution Rules). Undefined where it is wrong, which is reported.
 */
export function checkModule(module: string, at: KeyPath, report: Report): string | undefined {
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
