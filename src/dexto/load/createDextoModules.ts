import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSymbolModule, type ModuleExports } from '../../plugins/load/createSymbolModule.ts';
import type { HostModules } from '../../plugins/load/hostModules.ts';
import { noEditorApi } from '../../plugins/load/moduleErrors.ts';
import { coreExportsAt } from './dextoCoreExports.ts';

/** Upstream's packages, with any subpath; `@core/…` is what its own plugins once imported types from. */
const upstream = /^(?:@dexto\/(?<name>[\w-]+)|@core)(?:\/(?<subpath>.*))?$/u;

interface DextoModuleParts {
  /** As people know the plugin. */
  readonly name: string;
  /** A folder of the plugin's own; made when it is asked for. */
  readonly stateDir: string;
}

/**
 * Modules that exist only for Dexto plugins: `@dexto/core` and its neighbours, whole or not, also where a plugin brings them, so
 * that errors are of one class. A symbol that is missing can be imported; using it throws an error that names it and the plugin.
 */
export function createDextoModules({ name: pluginId, stateDir }: DextoModuleParts): HostModules {
  const made = new Map<string, { readonly exports: unknown }>();
  return (name) => {
    if (name === 'vscode') throw noEditorApi(pluginId);
    const hit = upstream.exec(name);
    if (hit === null) return undefined;
    const own = ownOf(hit.groups?.['name'] ?? 'core', hit.groups?.['subpath'] ?? '', stateDir);
    const known = made.get(name) ?? { exports: createSymbolModule({ name, pluginId, own }) };
    made.set(name, known);
    return known;
  };
}

function ownOf(upstreamPackage: string, subpath: string, stateDir: string): ModuleExports {
  if (upstreamPackage === 'core') return coreExportsAt(subpath);
  // An image to build on: one that brings nothing.
  if (upstreamPackage.startsWith('image-')) return { default: { hooks: {}, plugins: {}, tools: {} } };
  if (upstreamPackage !== 'agent-management') return {};
  // Upstream's is a folder in the user's home; here each plugin has its own.
  const getDextoGlobalPath = (kind = '', file?: string): string => {
    const folder = join(stateDir, ...inner(kind));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return file === undefined ? folder : join(folder, ...inner(file));
  };
  return { getDextoGlobalPath };
}

function inner(path: string): readonly string[] {
  return path.split(/[\\/]/u).filter((part) => !['', '.', '..'].includes(part));
}
