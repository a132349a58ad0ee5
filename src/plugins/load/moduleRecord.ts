import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What CommonJS code knows as `module`. */
interface PluginModule {
  id: string;
  filename: string;
  path: string;
  paths: string[];
  loaded: boolean;
  exports: unknown;
  parent: PluginModule | undefined;
  children: PluginModule[];
  require: NodeJS.Require | undefined;
}

/** One module of one load. */
export interface ModuleRecord {
  readonly filename: string;
  readonly module: PluginModule;
  /** `commonjs` is code that ran as it stands; `module` was an ES module or TypeScript. */
  format: 'commonjs' | 'module';
  /** There while it is evaluated step by step. */
  pending?: Promise<void>;
  /** What it imports and has to wait for now. */
  readonly waitingFor: Set<ModuleRecord>;
}

/** @param from absolute path or file URL */
export function createModuleRecord(from: string | URL, parent?: ModuleRecord): ModuleRecord {
  const filename = from instanceof URL || from.startsWith('file:') ? fileURLToPath(from) : from;
  const module: PluginModule = {
    id: filename,
    filename,
    path: dirname(filename),
    paths: [],
    loaded: false,
    exports: {},
    parent: parent?.module,
    children: [],
    require: undefined,
  };
  parent?.module.children.push(module);
  return { filename, module, format: 'commonjs', waitingFor: new Set() };
}
