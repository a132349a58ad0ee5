import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const sources = ['src/dexto/dextoTypes.ts', 'src/dexto/dextoErrors.ts'];

/** The names that later versions of upstream have for the same, and what only they have. */
const laterNames = `
export type Plugin = DextoPlugin;
export type Hook = DextoPlugin;
export type HookResult = PluginResult;
export type HookNotice = PluginNotice;
export type PluginExecutionContext = ExecutionContext;
export type HookExecutionContext = ExecutionContext;

/** What a provider's \`create\` gets beside the settings. Services are there once a turn runs. */
export interface PluginCreationContext {
  /** The folder of the agent file. */
  configDir: string;
  agentEventBus: any;
  storageManager: any;
}

/** Makes a plugin from settings that its schema has read. */
export interface PluginProvider<Type extends string = string, Config = any> {
  type: Type;
  /** A zod schema. */
  configSchema: any;
  create(config: Config, context: PluginCreationContext): DextoPlugin | Promise<DextoPlugin>;
  metadata?: Record<string, any>;
}

export const ErrorType: { readonly [Code in DextoErrorCode]: Code } & { readonly [kind: string]: string };
export const ErrorScope: { readonly [scope: string]: string };
export const PluginErrorCode: { readonly [code: string]: string };
export const HookErrorCode: { readonly [code: string]: string };`;

const neighbours = `
declare module '@dexto/agent-config' {
  import type { DextoPlugin } from '@dexto/core';

  export interface HookFactory<Config = any> {
    configSchema?: any;
    create(config: Config, context?: any): DextoPlugin | Promise<DextoPlugin>;
  }
  export interface DextoImage {
    hooks?: Record<string, HookFactory>;
    [part: string]: any;
  }
  export type DextoImageModule = DextoImage;
}

declare module '@dexto/agent-management' {
  /** A folder of the plugin's own, or a file in it. */
  export function getDextoGlobalPath(kind?: string, file?: string): string;
}
`;

/**
 * The one file that gives authors of Dexto plugins types: `@dexto/core` as the spec exports it (Dexto plugin specification, Type Exports), made from
 * what the program itself is written against, with `any` where the data is the plugin's own.
 * @param root the project's folder
 * @throws Error where a source is no valid declaration
 */
export function buildDextoTypes(root: string): string {
  const head =
    '// Types of @dexto/core as Pincer provides it. Add this file to "files" or "include" of a tsconfig.json, or point to it\n' +
    '// with /// <reference path="…/dexto-core.d.ts" />.\n';
  const own = sources.map((source) => declarationsOf(join(root, source))).join('\n');
  const again = ['@dexto/core/plugins/types.js', '@core/plugins/types.js']
    .map((name) => `\ndeclare module '${name}' {\n  export * from '@dexto/core';\n}\n`)
    .join('');
  const builtIns = [
    ['content-policy', 'ContentPolicyPlugin', 'LLMRequest'],
    ['response-sanitizer', 'ResponseSanitizerPlugin', 'Response'],
  ]
    .map(
      ([subpath, name, point]) => `
declare module '@dexto/core/plugins/${subpath}' {
  import type { Before${point}Payload, DextoPlugin, ExecutionContext, PluginResult } from '@dexto/core';

  export class ${name} implements DextoPlugin {
    initialize(config: Record<string, any>): Promise<void>;
    before${point}(payload: Before${point}Payload, context: ExecutionContext): Promise<PluginResult>;
  }
  export default ${name};
}
`,
    )
    .join('');
  return `${head}\ndeclare module '@dexto/core' {\n${own}${laterNames}\n}\n${again}${builtIns}${neighbours}`;
}

/**
 * The types of `pincer/agent`, for programs that run an agent (docs/dexto.md). They name those of plugins by `@dexto/core`.
 * @param root the project's folder
 * @throws Error where the source is no valid declaration
 */
export function buildAgentTypes(root: string): string {
  const head =
    '/// <reference path="./plugin-sdk/dexto-core.d.ts" />\n' +
    "import type { DextoErrorCode, ExtensionPoint, PluginNotice } from '@dexto/core';\n\n";
  return `${head}${declarationsOf(join(root, 'src/cli/agentPackage.ts'))}`;
}

/** Without imports: all of it stands in one module. */
function declarationsOf(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, target: ts.ScriptTarget.ES2023 },
  });
  for (const { messageText } of diagnostics) {
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  }
  return (
    outputText
      // What the file as a whole is for concerns those who change it.
      .replace(/^\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*(?=\/\*\*)/u, '')
      .replaceAll(/^import .*;\n/gmu, '')
      .replaceAll(/^export \{\};\n/gmu, '')
      .replaceAll(/^(export )?declare /gmu, '$1')
      .replace(/(?<=export type Data = )unknown/u, 'any')
  );
}
