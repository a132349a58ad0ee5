import { moduleParameters } from '../../plugins/load/compileModule.ts';
import type { AgentBundle, BundledPlugin } from './agentBundle.ts';
import type { CollectedModule } from './collectModules.ts';

interface BundleContent extends Pick<AgentBundle, 'format' | 'apiVersion' | 'agent'> {
  readonly plugins: Readonly<Record<string, BundledPlugin>>;
  readonly modules: ReadonlyMap<string, CollectedModule>;
  /** The key of each path in `modules`. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The text of a bundle: one CommonJS module that runs nothing when it is loaded. The same content gives the same text; code stays as it
 * was compiled, line by line. Pure.
 */
export function printBundle({ names, modules, ...content }: BundleContent): string {
  const waits = waitingModules(modules);
  const printed = [...modules.values()]
    .map((module) => ({ key: names.get(module.path) ?? module.path, module }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, module }) => `    ${JSON.stringify(key)}: ${printModule(module, names, waits)},\n`);
  return [
    '// An agent and its plugins, made by `pincer bundle`. Run it with `pincer agent --bundle <this file>`.\n',
    'module.exports = {\n',
    `  format: ${content.format},\n`,
    `  apiVersion: ${JSON.stringify(content.apiVersion)},\n`,
    `  agent: ${printData(content.agent)},\n`,
    `  plugins: ${printData(content.plugins)},\n`,
    `  modules: {\n${printed.join('')}  },\n`,
    '};\n',
  ].join('');
}

function printModule(
  { path, imports, compiled, waiting, data }: CollectedModule,
  names: ReadonlyMap<string, string>,
  waits: ReadonlySet<string>,
): string {
  if (compiled === undefined) return `{ format: 'json', data: ${printData(data)} }`;
  const keys = Object.fromEntries([...imports].map(([name, target]) => [name, names.get(target) ?? target]));
  const parts = [
    `format: '${compiled.format}'`,
    ...(imports.size === 0 ? [] : [`imports: ${printData(keys)}`]),
    ...(compiled.waits ? [] : [`body: ${printBody(compiled.code)}`]),
    ...(waiting === undefined || !waits.has(path) ? [] : [`waitingBody: ${printBody(waiting.code)}`]),
  ];
  return `{ ${parts.join(', ')} }`;
}

/** `__proto__` in an object literal would set the prototype. */
function printData(data: unknown): string {
  const json = JSON.stringify(data);
  return json.includes('__proto__') ? `JSON.parse(${JSON.stringify(json)})` : json;
}

/** The code ends its own line: it may end in a comment. */
function printBody(code: string): string {
  return `function (${moduleParameters.join(', ')}) {${code}\n}`;
}

/** Modules that await outside of functions, and those that import them, however far away. */
function waitingModules(modules: ReadonlyMap<string, CollectedModule>): ReadonlySet<string> {
  const waits = new Set(
    [...modules.values()].filter(({ compiled }) => compiled?.waits).map(({ path }) => path),
  );
  for (let before = -1; before !== waits.size;) {
    before = waits.size;
    for (const { path, imports } of modules.values()) {
      if ([...imports.values()].some((target) => waits.has(target))) waits.add(path);
    }
  }
  return waits;
}
